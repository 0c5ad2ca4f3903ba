// The agencies by name. One the table does not know is shown under its own identifier.
import { AGENCIES, type KnownAgency } from '../../contract/agencies.ts'
import type { Agency } from '../../contract/credit-report.ts'
import { nameOf } from './phrases.ts'
import type { ShownBureau, ShownRecord } from './read-report.ts'

export type Bureau = Partial<KnownAgency> & Pick<KnownAgency, 'name'> & { id: string }

export function bureauOf(id: string): Bureau {
  const known = Object.hasOwn(AGENCIES, id) ? AGENCIES[id] : undefined
  return { id, ...(known ?? { name: nameOf(id, {}) }) }
}

/** The agencies to ask about something in the report, or missing from it; all of them where the report names none. */
export function whomToAsk({ answered, noFile }: Sources): Bureau[] {
  const known = [...answered, ...noFile]
  return known.length > 0 ? known : Object.keys(AGENCIES).map(bureauOf)
}

/** The agencies a report comes from, and those it does not. */
export type Sources = {
  /** All of them, in alphabetical order. */
  all: Bureau[]
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
  const asked = agencies ?? reporting(records).map((id) => ({ id, status: 'answered' }))
  const all = asked.map(({ id }) => bureauOf(id)).sort((a, b) => (a.name < b.name ? -1 : 1))
  const saying = (status: string) =>
    all.filter(({ id }) => asked.some((each) => each.id === id && each.status === status))
  const answered = saying('answered')
  const noFile = saying('no-file')
  // A status of a newer service is no answer that this page could vouch for.
  const away = all.filter((bureau) => !answered.includes(bureau) && !noFile.includes(bureau))
  return { all, answered, noFile, away, isKnown: agencies !== undefined }
}

/** Every agency that reports one of the records. */
function reporting(records: readonly ShownRecord[]): string[] {
  return [...new Set(records.flatMap(({ bureaus }) => bureaus.map(({ id }) => id)))].filter(Boolean)
}

/** One agency's view of one account. */
export type Mark = {
  bureau: Bureau
  state: 'reports' | 'silent' | 'away'
  /** Its own values, where it reports the account. */
  said?: ShownBureau
}

/** Every agency of the report, in the same order for every account. */
export function marksOf({ bureaus }: ShownRecord, { all, away }: Sources): Mark[] {
  const marks = all.map((bureau): Mark => {
    const said = bureaus.find(({ id }) => id === bureau.id)
    if (said) return { bureau, state: 'reports', said }
    return { bureau, state: away.includes(bureau) ? 'away' : 'silent' }
  })
  const others = bureaus.filter((said) => !marks.some((mark) => mark.said === said))
  return [...marks, ...others.map((said): Mark => ({ bureau: bureauOf(said.id), state: 'reports', said }))]
}

/** Fields in which an agency may differ from the record. */
export const COMPARED = ['accountStatus', 'balance', 'payment', 'startBalance'] as const

/** One agency leaves the account out, or says something else about it. */
export function isDifferent(marks: readonly Mark[]): boolean {
  return marks.some(({ state, said }) => state === 'silent' || COMPARED.some((field) => said?.[field]))
}
