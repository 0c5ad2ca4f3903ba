import type { Field } from '../fields/field.ts'
import type { FieldName, Typed } from '../fields/typed.ts'
import { useWords } from '../frame.ts'

/** What the lender has fixed, as text in the place of its inputs. */
export function KnownField({ name, field, typed }: { name: FieldName; field: Field<never>; typed: Typed }) {
  const words = useWords()
  const { label = name, show, wire } = field
  const sent = Object.values(wire).map((read) => read(typed))
  const value = show ? show(typed, words) : sent.filter(Boolean).join(', ')
  return (
    <dl class="field">
      <dt part="label">{words(label)}</dt>
      <dd>{value}</dd>
    </dl>
  )
}
