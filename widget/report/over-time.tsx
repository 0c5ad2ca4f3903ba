// One picture of addresses, accounts and searches from the first year to today. It is a list as well: each line has its
// dates in words.
import type { ComponentChildren } from 'preact'
import { isSettled } from './accounts.ts'
import { usePage } from './page.ts'
import { Company, Section, stretch } from './parts.tsx'
import { fill } from './phrases.ts'
import type { TimeLine } from './time-line.ts'

/** More lines would only blur: beyond this the starts are marks on one line. */
const NAMED_MAX = 8

export function OverTime({ timeLine: { at, years, stays, accounts, searchesMs } }: { timeLine: TimeLine }) {
  const { words, read } = usePage()
  const startsMs = accounts.map(({ startMs = 0 }) => startMs)
  return (
    <Section id="time" title={words.overTime}>
      {startsMs[0] !== undefined && <p class="hint">{fill(words.oldest, { date: words.day(startsMs[0]) })}</p>}
      <div class="report-lanes">
        <div aria-hidden="true">
          {years.map((year) => (
            <small style={stretch(0, at(Date.UTC(year)))}>{year}</small>
          ))}
        </div>
        <ul>
          {stays.length > 0 && (
            <Lane name={words.addresses} datesMs={stays.map(({ fromMs }) => fromMs)}>
              {stays.map(({ fromMs, untilMs }) => (
                <i class="report-stay" style={stretch(at(untilMs) - at(fromMs), at(fromMs))} />
              ))}
            </Lane>
          )}
          {accounts.length > NAMED_MAX ? (
            <Points name={words.accounts} datesMs={startsMs} at={at} />
          ) : (
            accounts.map((account) => {
              const { startMs = 0, record } = account
              const from = at(startMs)
              return (
                <Lane name={<Company name={record.companyName} />} datesMs={[startMs]} from={from}>
                  {/* When a settled account ended is not reported. */}
                  <i
                    class={`report-kind-${read.kinds.get(account) ?? 'others'}`}
                    style={stretch(isSettled(account) ? 0 : 1 - from, from)}
                  />
                </Lane>
              )
            })
          )}
          {searchesMs.length > 0 && <Points name={words.searches} datesMs={searchesMs} at={at} />}
        </ul>
      </div>
    </Section>
  )
}

/** As many dates as a lane says in words. */
const SAID_MAX = 20

type LaneProps = { name: ComponentChildren; datesMs: readonly number[]; from?: number; children: ComponentChildren }

/**
 * A name above its line, where the line begins or as far along as there is room; the dates, for those who do not see
 * it.
 */
function Lane({ name, datesMs, from = 0, children }: LaneProps) {
  const { words } = usePage()
  // Of very many the first and the last: to shape hundreds takes longer than to draw everything else.
  const said =
    datesMs.length > SAID_MAX
      ? [datesMs.length, ...[datesMs[0], datesMs.at(-1)].map((timeMs = 0) => words.day(timeMs))]
      : datesMs.map(words.day)
  return (
    <li>
      <div style={stretch(0, from)}>
        <span>
          {name}
          <span class="unseen">: {said.join(', ')}</span>
        </span>
      </div>
      {children}
    </li>
  )
}

/** A mark for each date, all of them one drawing: hundreds of elements would hold a phone up. */
function Points({ at, ...rest }: Pick<LaneProps, 'name' | 'datesMs'> & Pick<TimeLine, 'at'>) {
  const marks = rest.datesMs.map((timeMs) => `M${(4 + at(timeMs) * 992).toFixed()} 0v1`)
  return (
    <Lane {...rest}>
      <svg class="report-points" viewBox="0 0 1000 1" preserveAspectRatio="none" aria-hidden="true">
        <path d={marks.join('')} />
      </svg>
    </Lane>
  )
}
