// The agencies by name. One the table does not know is shown under its own identifier.
import { AGENCIES, type Agency } from '../agencies.ts'
import { nameOf } from './phrases.ts'
import type { ShownRecord } from './read-report.ts'

export type Bureau = Partial<Agency> & Pick<Agency, 'name'>

export function bureauOf(id: string): Bureau {
  return (Object.hasOwn(AGENCIES, id) ? AGENCIES[id] : undefined) ?? { name: nameOf(id, {}) }
}

/** Whom to ask when no record names an agency. */
export const allBureaus = (): Bureau[] => Object.values(AGENCIES)

/** Every agency that reports one of the records, in alphabetical order. */
export function bureausOf(records: readonly ShownRecord[]): Bureau[] {
  const ids = records.flatMap(({ bureaus }) => bureaus.map(({ id }) => id))
  return [...new Set(ids)].filter(Boolean).sort().map(bureauOf)
}
