// The UK's credit reference agencies, by the identifier the wire has for each. In the script itself: two chunks need it.

export type Agency = { name: string; website: string }

export const AGENCIES: { [id: string]: Agency } = {
  equifax: { name: 'Equifax', website: 'www.equifax.co.uk' },
  experian: { name: 'Experian', website: 'www.experian.co.uk' },
  transunion: { name: 'TransUnion', website: 'www.transunion.co.uk' },
}
