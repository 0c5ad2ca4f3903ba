import { agencyOf } from '../contract/agencies.ts'
import type { Words } from './strings/words.ts'

export { AGENCIES, agencyOf, type KnownAgency as Agency } from '../contract/agencies.ts'

/** `Equifax, Experian and TransUnion`; empty for none. */
export function listAgencies(words: Words, ids: readonly string[]): string {
  const [last = '', ...others] = ids.map((id) => agencyOf(id).name).reverse()
  return others.length > 0 ? words('and', { a: others.reverse().join(', '), b: last }) : last
}
