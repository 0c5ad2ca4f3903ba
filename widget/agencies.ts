import { agencyOf } from '../contract/agencies.ts'
import { listNames, type Words } from './strings/words.ts'

/** `Equifax, Experian and TransUnion`; empty for none. */
export function listAgencies(words: Words, ids: readonly string[]): string {
  return listNames(
    words,
    ids.map((id) => agencyOf(id).name),
  )
}
