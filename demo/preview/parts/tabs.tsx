import type { ComponentChildren, JSX } from 'preact'
import { useRef } from 'preact/hooks'

type Props<Name extends string> = {
  label: string
  names: readonly Name[]
  titles: { [name in Name]: string }
  chosen: Name
  onChoose: (name: Name) => void
  children: ComponentChildren
}

/** Tabs as screen readers know them: one stop, arrows between, the panel named by its tab. */
export function Tabs<Name extends string>({
  label,
  names,
  titles,
  chosen,
  onChoose,
  children,
}: Props<Name>): JSX.Element {
  const list = useRef<HTMLDivElement>(null)
  const move = (by: number) => {
    const next = names[(names.indexOf(chosen) + by + names.length) % names.length]
    if (next === undefined) return
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus()
  }
  return (
    <div class="tabs">
      <div
        class="tab-list"
        role="tablist"
        aria-label={label}
        ref={list}
        onKeyDown={({ key }) => {
          if (key === 'ArrowRight') move(1)
          if (key === 'ArrowLeft') move(-1)
        }}
      >
        {names.map((name) => (
          <button
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={name === chosen}
            aria-controls={`panel-${chosen}`}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => onChoose(name)}
          >
            {titles[name]}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class="tab-panel" role="tabpanel" id={`panel-${chosen}`} aria-labelledby={`tab-${chosen}`} tabIndex={0}>
        {children}
      </div>
    </div>
  )
}
