// The UK's credit reference agencies, by the identifier the wire has for each.

/** The name people know an agency by. */
export type KnownAgency = { name: string; website: string }

export const AGENCIES: { readonly [id: string]: KnownAgency } = {
  equifax: { name: 'Equifax', website: 'www.equifax.co.uk' },
  experian: { name: 'Experian', website: 'www.experian.co.uk' },
  transunion: { name: 'TransUnion', website: 'www.transunion.co.uk' },
}

/** One that the table does not have goes by its identifier. */
export function agencyOf(id: string): KnownAgency {
  return (Object.hasOwn(AGENCIES, id) && AGENCIES[id]) || { name: id, website: '' }
}
