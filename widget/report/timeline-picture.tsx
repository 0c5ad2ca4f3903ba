import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { type Account, isOpen, isSettled } from './accounts.ts'
import { useWords } from './page.ts'
import { AccountType, Company, Missing } from './parts.tsx'
import { fill } from './phrases.ts'
import type { CompanySearches } from './searches.ts'
import { Sliced } from './sliced.tsx'
import { drawTimeline, type Lane, type Mark } from './timeline.ts'

const LANES_PER_SLICE = 8
const LANE_HEIGHT_EM = 3.5
/** How much of a settled account's line is drawn, in per cent: long enough to see, too short to look like an end. */
const SETTLED_STUB_PERCENT = 6
/** Labels this close to an edge would be cut, so they lean inwards. */
const EDGE_PERCENT = 6

type TimelinePictureProps = { accounts: readonly Account[]; searches: readonly CompanySearches[]; nowMs: number }

/** A lane for each account and one for the searches. The picture repeats the text beside it and is hidden from screen readers. */
export function TimelinePicture({ accounts, searches: groups, nowMs }: TimelinePictureProps) {
  const words = useWords()
  const { ticks, lanes, searches } = useMemo(() => {
    const searchDatesMs = groups.flatMap(({ datesMs }) => datesMs)
    return drawTimeline(accounts, searchDatesMs, nowMs)
  }, [accounts, groups, nowMs])
  const first = words.month(searches[0]?.timeMs ?? 0)
  const last = words.month(searches.at(-1)?.timeMs ?? 0)
  const grid = ticks.map(({ percent }) => <line x1={`${percent}%`} x2={`${percent}%`} y2="100%" />)
  return (
    <>
      <svg class="report-axis" aria-hidden="true">
        {ticks.map(({ year, percent }) => (
          <text x={`${percent}%`} y="1em" text-anchor={anchorAt(percent)}>
            {year}
          </text>
        ))}
      </svg>
      <ul>
        <Sliced items={lanes} step={LANES_PER_SLICE} itemHeightEm={LANE_HEIGHT_EM}>
          {(lane) => <AccountLane lane={lane} grid={grid} />}
        </Sliced>
        {searches.length > 0 && (
          <Row
            name={words.shared('searches')}
            when={fill(words.count(first === last ? words.searchesIn : words.searchesBetween, searches.length), {
              first,
              last,
            })}
            grid={grid}
          >
            {placesOf(searches).map((percent) => (
              <Dot percent={percent} />
            ))}
          </Row>
        )}
      </ul>
      {accounts.some(isSettled) && <p class="hint">{words.timelineNote}</p>}
    </>
  )
}

function anchorAt(percent: number): 'start' | 'middle' | 'end' {
  if (percent < EDGE_PERCENT) return 'start'
  return percent > 100 - EDGE_PERCENT ? 'end' : 'middle'
}

// Hundreds of dots in a few hundred pixels overlap; one for each place is the same picture.
function placesOf(searches: readonly Mark[]): number[] {
  return [...new Set(searches.map(({ percent }) => Math.round(percent)))]
}

function AccountLane({ lane: { account, start }, grid }: { lane: Lane; grid: ComponentChildren }) {
  const words = useWords()
  const { record } = account
  // Only of an open account is it known that it goes on.
  const end = !isOpen(account) && start ? Math.min(100, start.percent + SETTLED_STUB_PERCENT) : 100
  const span = isOpen(account) ? words.running : isSettled(account) ? words.ended : words.startedOn
  return (
    <Row
      name={[<Company name={record.companyName} />, ', ', <AccountType type={record.accountType} />]}
      when={start ? fill(span, { date: words.month(start.timeMs) }) : <Missing />}
      settled={!isOpen(account)}
      grid={grid}
    >
      {start && [
        <line class="report-span" x1={`${start.percent}%`} x2={`${end}%`} y1="50%" y2="50%" />,
        <Dot percent={start.percent} />,
      ]}
    </Row>
  )
}

function Dot({ percent }: { percent: number }) {
  return <circle cx={`${percent}%`} cy="50%" r="5" />
}

type RowProps = {
  name: ComponentChildren
  when: ComponentChildren
  settled?: boolean
  grid: ComponentChildren
  children: ComponentChildren
}

function Row({ name, when, settled, grid, children }: RowProps) {
  return (
    <li class="report-lane">
      {name}
      <div class="hint">{when}</div>
      <svg class={settled ? 'report-ended' : ''} aria-hidden="true">
        {grid}
        {children}
      </svg>
    </li>
  )
}
