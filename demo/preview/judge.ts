import type { Journey } from '../journeys/journey.ts'

/** What a run of a journey came to. */
export type Outcome = {
  heading: string
  events: readonly { name: string; detail: { code?: string } }[]
  costCredits: number
  records: number | null
}

/** What differs from how the journey must end; empty means that it passed. */
export function judge({ ends }: Journey, { heading, events, costCredits, records }: Outcome): string[] {
  const names = events.map(({ name }) => name)
  const errorCode = events.find(({ name }) => name === 'error')?.detail.code
  return [
    differs('screen', heading, ends.heading),
    differs('events', names.join(', '), ends.events.join(', ')),
    differs('error code', errorCode, ends.errorCode),
    differs('cost', costCredits, ends.costCredits),
    ends.records === undefined ? null : differs('accounts', records, ends.records),
  ].filter((difference) => difference !== null)
}

function differs(what: string, found: unknown, expected: unknown): string | null {
  return found === expected ? null : `${what}: expected ${show(expected)}, found ${show(found)}`
}

function show(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : String(value ?? 'none')
}
