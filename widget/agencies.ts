// The UK's credit reference agencies, by the identifier the wire has for each.
import type { Words } from './strings/words.ts'

export type Agency = { name: string; website: string }

export const AGENCIES: { [id: string]: Agency } = {
  equifax: { name: 'Equifax', website: 'www.equifax.co.uk' },
  experian: { name: 'Experian', website: 'www.experian.co.uk' },
  transunion: { name: 'TransUnion', website: 'www.transunion.co.uk' },
}

/** The name people know; one that the table does not have goes by its identifier. */
export function agencyOf(id: string): Agency {
  return (Object.hasOwn(AGENCIES, id) && AGENCIES[id]) || { name: id, website: '' }
}

/** `Equifax, Experian and TransUnion`; empty for none. */
export function listAgencies(words: Words, ids: readonly string[]): string {
  const [last = '', ...others] = ids.map((id) => agencyOf(id).name).reverse()
  return others.length > 0 ? words('and', { a: others.reverse().join(', '), b: last }) : last
}
