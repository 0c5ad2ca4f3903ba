// The agencies by name. One the table does not know is shown under its own identifier.

import { AGENCIES, type KnownAgency } from '../../contract/agencies.ts'
import type { Agency } from '../../contract/credit-report.ts'
import { nameOf } from './phrases.ts'
import type { ShownRecord } from './read-report.ts'

export type Bureau = Partial<KnownAgency> & Pick<KnownAgency, 'name'>

export function bureauOf(id: string): Bureau {
  return (Object.hasOwn(AGENCIES, id) ? AGENCIES[id] : undefined) ?? { name: nameOf(id, {}) }
}

/** Whom to ask about something in the report, or missing from it; every agency there is where the report names none. */
export function whomToAsk({ answered, noFile }: Sources): Bureau[] {
  const known = [...answered, ...noFile]
  return known.length > 0 ? known : Object.values(AGENCIES)
}

/** Where a report comes from, and where it does not. */
export type Sources = {
  /** Their file is in it. */
  answered: Bureau[]
  /** They said that they hold no file. */
  noFile: Bureau[]
  /** They did not answer, or could not be asked: what they know is not in it. */
  away: Bureau[]
  /** False where the lender's server does not say: then only the records name agencies. */
  isKnown: boolean
}

export function sourcesOf(agencies: readonly Agency[] | undefined, records: readonly ShownRecord[]): Sources {
  if (!agencies) return { answered: bureausOf(records), noFile: [], away: [], isKnown: false }
  const said = (status: string) => agencies.filter((agency) => agency.status === status)
  const answered = said('answered')
  const noFile = said('no-file')
  // A status of a newer service is no answer that this page could vouch for.
  const away = agencies.filter((agency) => !answered.includes(agency) && !noFile.includes(agency))
  const named = (list: readonly Agency[]) => list.map(({ id }) => bureauOf(id))
  return { answered: named(answered), noFile: named(noFile), away: named(away), isKnown: true }
}

/** Every agency that reports one of the records, in alphabetical order. */
export function bureausOf(records: readonly ShownRecord[]): Bureau[] {
  const ids = records.flatMap(({ bureaus }) => bureaus.map(({ id }) => id))
  return [...new Set(ids)].filter(Boolean).sort().map(bureauOf)
}
