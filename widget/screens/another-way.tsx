import { useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'

/** Another way for who cannot go this one: the lender's, where it has one. */
export function AnotherWay({ summary, lead }: { summary: StringKey; lead: StringKey }) {
  const words = useWords()
  return (
    <details class="more">
      <summary>{words(summary)}</summary>
      <p>{words(lead)}</p>
      <slot name="alternative-route">
        <p>{words('askForAnotherWay')}</p>
      </slot>
    </details>
  )
}
