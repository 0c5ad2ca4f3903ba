import type { Bureau } from '../bureaus.ts'
import { AgencyLink, Website } from './agency-link.tsx'
import type { HelpStrings } from './strings.ts'

/**
 * Steps to take, and whom to tell. The rules on disputes live here and nowhere else; the reference to quote is with
 * each account.
 */
export function SomethingWrong({ agencies, strings }: { agencies: readonly Bureau[]; strings: HelpStrings }) {
  const [before, after] = strings.fraud.split('{cifas}')
  return (
    <>
      <ol class="report-steps">
        {strings.wrongSteps.map((step) => (
          <li>{step}</li>
        ))}
        <li>
          {strings.complain} <Website page="ico.org.uk" />
        </li>
      </ol>
      <p>
        {before}
        <Website page="www.cifas.org.uk" />
        {after}
      </p>
      <ul class="report-steps">
        {agencies.map((agency) => (
          <li>
            <AgencyLink agency={agency} />
          </li>
        ))}
      </ul>
    </>
  )
}
