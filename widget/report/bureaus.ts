// The agencies by name. One this table does not know is shown under its own identifier.
import { nameOf } from './phrases.ts'
import type { ShownRecord } from './read-report.ts'

export type Bureau = { name: string; website?: string }

const KNOWN: { [id: string]: Bureau } = {
  equifax: { name: 'Equifax', website: 'www.equifax.co.uk' },
  experian: { name: 'Experian', website: 'www.experian.co.uk' },
  transunion: { name: 'TransUnion', website: 'www.transunion.co.uk' },
}

export function bureauOf(id: string): Bureau {
  return (Object.hasOwn(KNOWN, id) ? KNOWN[id] : undefined) ?? { name: nameOf(id, {}) }
}

/** Whom to ask when no record names an agency. */
export const allBureaus = (): Bureau[] => Object.values(KNOWN)

/** Every agency that reports one of the records, in alphabetical order. */
export function bureausOf(records: readonly ShownRecord[]): Bureau[] {
  const ids = records.flatMap(({ bureaus }) => bureaus.map(({ id }) => id))
  return [...new Set(ids)].filter(Boolean).sort().map(bureauOf)
}
