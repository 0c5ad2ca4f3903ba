import { showMonths } from '../strings/words.ts'
import { readDate } from './dates.ts'
import { usePage, useWords } from './page.ts'
import { Facts, Missing, Reported } from './parts.tsx'
import { fill } from './phrases.ts'
import { fullName, type ShownResidency } from './read-report.ts'
import { monthsOfStay } from './time-line.ts'

/** The name, date of birth and addresses the agencies found. */
export function AboutYou() {
  const { words, report } = usePage()
  const { person, residencies } = report
  const birthMs = readDate(person.dateOfBirth)
  return (
    <>
      <Facts
        facts={[
          [words.shared('name'), <Reported value={fullName(person)} />],
          [
            words.shared('dateOfBirth'),
            birthMs === undefined ? <Reported value={person.dateOfBirth} /> : words.day(birthMs),
          ],
        ]}
      />
      {residencies.length === 0 && <p>{words.noAddresses}</p>}
      <ul class="report-lines">
        {residencies.map((residency) => (
          <AddressItem residency={residency} />
        ))}
      </ul>
    </>
  )
}

function AddressItem({ residency }: { residency: ShownResidency }) {
  const words = useWords()
  const { lines, isCurrent } = residency
  const stay = monthsOfStay(residency.years, residency.months)
  return (
    <li>
      <strong>
        {isCurrent === undefined ? words.address : words.shared(isCurrent ? 'currentAddress' : 'previousAddress')}
      </strong>
      <address>
        {lines.length === 0 && <Missing />}
        {lines.map((line) => (
          <div>
            <bdi>{line}</bdi>
          </div>
        ))}
      </address>
      <div class="hint">
        {fill(words.stay, { time: stay > 0 ? showMonths(words.shared, stay) : words.notReported.toLowerCase() })}
      </div>
    </li>
  )
}
