import type { JSX } from 'preact'

type Props<Value extends string | number> = {
  label: string
  value: Value
  options: readonly (readonly [value: Value, title: string])[]
  onChoose: (value: Value) => void
}

/** A few choices side by side. */
export function Segments<Value extends string | number>({
  label,
  value,
  options,
  onChoose,
}: Props<Value>): JSX.Element {
  return (
    <fieldset class="segments">
      <legend>{label}</legend>
      {options.map(([option, title]) => (
        <label class={option === value ? 'chosen' : ''}>
          <input
            type="radio"
            name={label}
            checked={option === value}
            onChange={() => onChoose(option)}
            aria-label={`${label}: ${title}`}
          />
          {title}
        </label>
      ))}
    </fieldset>
  )
}

/** Many choices, or long ones. */
export function Select<Value extends string | number>({ label, value, options, onChoose }: Props<Value>): JSX.Element {
  return (
    <label class="knob">
      <span>{label}</span>
      <select
        value={String(value)}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex]
          if (chosen) onChoose(chosen[0])
        }}
      >
        {options.map(([option, title]) => (
          <option value={String(option)}>{title}</option>
        ))}
      </select>
    </label>
  )
}

export function Switch({
  label,
  isOn,
  onSwitch,
}: {
  label: string
  isOn: boolean
  onSwitch: (isOn: boolean) => void
}): JSX.Element {
  return (
    <label class="switch">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onSwitch(currentTarget.checked)} />
      {label}
    </label>
  )
}
