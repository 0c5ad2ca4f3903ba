import { useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'

type Props = {
  summary: StringKey
  lead: StringKey
  /** The lender's words are shown once on a screen. @default true */
  hasRoute?: boolean
}

/** Another way for who cannot go this one: the lender's, where it has one. */
export function AnotherWay({ summary, lead, hasRoute = true }: Props) {
  const words = useWords()
  return (
    <details class="more">
      <summary>{words(summary)}</summary>
      <p>{words(lead)}</p>
      {hasRoute && (
        <slot name="alternative-route">{lead !== 'knownWrongLead' && <p>{words('askForAnotherWay')}</p>}</slot>
      )}
    </details>
  )
}
