// Every real postcode area, so that "QQ1 1AA" is caught while typing. X9 and XE are the areas bureau test people live
// in.
export const AREAS =
  'AB|AL|B|BA|BB|BD|BF|BH|BL|BN|BR|BS|BT|BX|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|EH|EN|EX|FK|FY|G|GL|GU|GY|HA|HD|HG|HP|HR|HS|HU|HX|IG|IM|IP|IV|JE|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|X|XE|YO|ZE'
const shape = new RegExp(`^(?:(?:${AREAS})[0-9][0-9A-Z]?|GIR)([0-9][ABD-HJLNP-UW-Z]{2})$`)
// Characters people type between the letters: spaces of any width, hyphens, full stops, brackets, invisible marks.
const separators = /[\s\u200b-\u200f\u2060\ufeff.()\u2010-\u2015-]/g

/** `sw1a1aa`, ` SW1A-1AA ` → `SW1A 1AA`; null when it is not a whole UK postcode. */
export function normalisePostcode(value: string): string | null {
  const compact = value.replace(separators, '').toUpperCase()
  const inward = shape.exec(compact)?.[1]
  return inward ? `${compact.slice(0, -inward.length)} ${inward}` : null
}
