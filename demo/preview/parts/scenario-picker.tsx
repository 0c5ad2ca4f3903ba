import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { GROUPS, type Journey, type JourneyGroup } from '../../journeys/journey.ts'
import { journeys } from '../../journeys/journeys.ts'
import { change, journey, restart } from '../state.ts'

export function ScenarioPicker(): JSX.Element {
  const groups = Object.entries(GROUPS) as [JourneyGroup, string][]
  const [openAtFirst] = useState<JourneyGroup[]>([journey.peek().group, 'code'])
  return (
    <section class="picker" aria-labelledby="picker-title">
      <h2 id="picker-title">Flow</h2>
      <label class="knob picker-select">
        <select
          aria-labelledby="picker-title"
          value={journey.value.id}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {groups.map(([group, title]) => (
            <optgroup label={title}>
              {journeysOf(group).map(({ id, title }) => (
                <option value={id}>{title}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {groups.map(([group, title]) => (
        <details open={openAtFirst.includes(group)}>
          <summary>
            {title} <small>{journeysOf(group).length}</small>
          </summary>
          {group === 'data' ? <DataGrid /> : <JourneyList group={group} />}
        </details>
      ))}
      <details open>
        <summary>
          Behind a link <small>1</small>
        </summary>
        <ul>
          <li>
            <a href="/preview/link" target="_blank" rel="noopener">
              A check on a page of ours, in a new tab
            </a>
          </li>
        </ul>
      </details>
    </section>
  )
}

function choose(id: string): void {
  change({ journey: id })
  restart()
}

function journeysOf(group: JourneyGroup): Journey[] {
  return journeys.filter((each) => each.group === group)
}

function JourneyList({ group }: { group: JourneyGroup }): JSX.Element {
  return (
    <ul>
      {journeysOf(group).map(({ id, title }) => (
        <li>
          <button type="button" aria-pressed={id === journey.value.id} onClick={() => choose(id)}>
            {title}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Five scenarios by three branches are a table, not a list. */
function DataGrid(): JSX.Element {
  const rows = new Map<string, Journey[]>()
  for (const each of journeysOf('data')) {
    const [title = ''] = each.title.split(', ')
    rows.set(title, [...(rows.get(title) ?? []), each])
  }
  return (
    <ul class="grid">
      {[...rows].map(([title, row]) => (
        <li>
          <span>{title}</span>
          <span class="grid-branches">
            {row.map(({ id, branch = 'allow', title: name }) => (
              <button type="button" aria-pressed={id === journey.value.id} aria-label={name} onClick={() => choose(id)}>
                {branch}
              </button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  )
}
