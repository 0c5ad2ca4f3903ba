import type { ComponentChildren } from 'preact'
import { useWords } from './page.ts'
import { AccountType, Company, Missing } from './parts.tsx'
import { fill } from './phrases.ts'
import { Sliced } from './sliced.tsx'
import type { Lane, Timeline } from './timeline.ts'

const LANES_PER_SLICE = 8
const LANE_HEIGHT_EM = 3.5
/** How much of a settled account's line is drawn, in per cent: long enough to see, too short to look like an end. */
const SETTLED_STUB_PERCENT = 6
/** Labels this close to an edge would be cut, so they lean inwards. */
const EDGE_PERCENT = 6

/** A lane for each account and one for the searches. The picture repeats the text beside it and is hidden from screen readers. */
export function TimelinePicture({ timeline: { ticks, lanes, searches } }: { timeline: Timeline }) {
  const words = useWords()
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
            name={words.searches}
            when={fill(words.count(words.searchesBetween, searches.length), {
              first: words.month(searches[0]?.timeMs ?? 0),
              last: words.month(searches.at(-1)?.timeMs ?? 0),
            })}
            grid={grid}
          >
            {placesOf(searches).map((percent) => (
              <Dot percent={percent} />
            ))}
          </Row>
        )}
      </ul>
      {lanes.some(({ settled }) => settled) && <p class="hint">{words.timelineNote}</p>}
    </>
  )
}

function anchorAt(percent: number): 'start' | 'middle' | 'end' {
  if (percent < EDGE_PERCENT) return 'start'
  return percent > 100 - EDGE_PERCENT ? 'end' : 'middle'
}

// Hundreds of dots in a few hundred pixels overlap; one for each place is the same picture.
function placesOf(searches: Timeline['searches']): number[] {
  return [...new Set(searches.map(({ percent }) => Math.round(percent)))]
}

function AccountLane({ lane: { account, settled, start }, grid }: { lane: Lane; grid: ComponentChildren }) {
  const words = useWords()
  const end = settled && start ? Math.min(100, start.percent + SETTLED_STUB_PERCENT) : 100
  return (
    <Row
      name={[<Company name={account.companyName} />, ', ', <AccountType type={account.accountType} />]}
      when={start ? fill(settled ? words.ended : words.running, { date: words.month(start.timeMs) }) : <Missing />}
      settled={settled}
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
