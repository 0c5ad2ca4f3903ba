import { showMonths } from '../strings/words.ts'
import { readDate } from './dates.ts'
import { useWords } from './page.ts'
import { Facts, Missing, Reported } from './parts.tsx'
import { fill } from './phrases.ts'
import { fullName, type ShownReport, type ShownResidency } from './read-report.ts'

/** The name, date of birth and addresses the agencies found. */
export function AboutYou({ person, residencies }: Pick<ShownReport, 'person' | 'residencies'>) {
  const words = useWords()
  const birthMs = readDate(person.dateOfBirth)
  return (
    <>
      <Facts
        class="report-pairs report-lines"
        facts={[
          [words.shared('name'), <Reported value={fullName(person)} />],
          [words.shared('dateOfBirth'), birthMs === undefined ? <Missing /> : words.day(birthMs)],
        ]}
      />
      {residencies.length === 0 && <p>{words.noAddresses}</p>}
      <ul class="report-addresses">
        {residencies.map((residency) => (
          <AddressCard residency={residency} />
        ))}
      </ul>
    </>
  )
}

function AddressCard({ residency }: { residency: ShownResidency }) {
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

const MONTHS_PER_YEAR = 12

/**
 * How long someone has lived somewhere, in whole months; 0 when it is not reported, which is also what no years and no months mean.
 * Some bureaus count the months of the whole stay, some those beyond the years.
 */
export function monthsOfStay(years = 0, months = 0): number {
  if (months >= MONTHS_PER_YEAR && Math.floor(months / MONTHS_PER_YEAR) === years) return months
  return years * MONTHS_PER_YEAR + months
}
