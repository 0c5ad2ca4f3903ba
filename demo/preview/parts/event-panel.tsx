import type { JSX } from 'preact'
import { events } from '../state.ts'

/** What the lender's page hears. */
export function EventPanel(): JSX.Element {
  const [first] = events.value
  if (!first) return <p class="empty">Events of the widget appear here. They never carry anything personal.</p>
  return (
    <ol class="events">
      {events.value.toReversed().map(({ name, detail, atMs }) => (
        <li class={name === 'error' || name === 'policy-violation' ? 'bad' : ''}>
          <time>{((atMs - first.atMs) / 1000).toFixed(2)} s</time>
          <b>{name}</b>
          <code>{describe(detail)}</code>
        </li>
      ))}
    </ol>
  )
}

function describe(detail: { [key: string]: unknown }): string {
  return Object.entries(detail)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ')
}
