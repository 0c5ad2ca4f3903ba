import type { ComponentChildren, Ref } from 'preact'
import type { InputName } from '../fields/typed.ts'
import { useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'
import { describedBy, Help } from './field.tsx'
import { useInput } from './form.tsx'

type SelectFieldProps = {
  name: InputName
  label: StringKey
  select: Ref<HTMLSelectElement>
  /** Its options. */
  children: ComponentChildren
}

/** A list to choose one from. The browser's own: its keys, its way of being read, and on a phone its wheel. */
export function SelectField({ name, label, select, children }: SelectFieldProps) {
  const { problem } = useInput(name)
  return (
    <div class="field">
      <label for={name} part="label">
        {useWords()(label)}
      </label>
      <Help id={name} hint={undefined} problem={problem} />
      <select
        id={name}
        name={name}
        class="input"
        part="input"
        ref={select}
        aria-describedby={describedBy(name, undefined, problem && name)}
        aria-invalid={problem ? 'true' : undefined}
      >
        {children}
      </select>
    </div>
  )
}
