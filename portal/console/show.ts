import { html } from 'hono/html'
import type { Markup } from '../pages/layout.ts'

const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'Europe/London',
})

export function showTime(timeMs: number): Markup {
  return html`<time datetime="${new Date(timeMs).toISOString()}">${dateTime.format(timeMs)}</time>`
}

export function showNumber(value: number): string {
  return new Intl.NumberFormat('en-GB').format(value)
}
