// 7 and nine digits; 70 is personal numbering and 76 is pagers, except 7624, which is Isle of Man mobile.
const ukMobile = /^7(?:[1-57-9]\d{8}|624\d{6})$/
const allowedMarks = /^[\d\s+().\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff\u2010-\u2015-]*$/

/**
 * Any way a person writes a UK mobile (`07700 900123`, `+44 (0)7700-900123`, `0044…`) → `+447700900123`; null
 * otherwise.
 */
export function normaliseUkMobile(value: string): string | null {
  if (!allowedMarks.test(value)) return null
  const digits = value.replace(/\D/g, '').replace(/^0*(?:44)?0*/, '')
  return ukMobile.test(digits) ? `+44${digits}` : null
}

const international = /^[1-9]\d{6,14}$/

/**
 * A UK mobile in any form, or a number of another country with its plus sign or 00, in E.164; null otherwise. A number
 * that says it is from the UK has to be a UK mobile.
 */
export function normaliseMobile(value: string): string | null {
  const uk = normaliseUkMobile(value)
  if (uk) return uk
  if (!allowedMarks.test(value) || !/^[^\d+]*(?:\+|00)/.test(value)) return null
  // The zero in brackets is dialled only inside the country.
  const digits = value.replace('(0)', '').replace(/\D/g, '').replace(/^00/, '')
  return international.test(digits) && !digits.startsWith('44') ? `+${digits}` : null
}

/** `+447700900123` → `07700 900123`, the form people know; numbers of other countries stay as they are. */
export function showMobileNumber(value: string): string {
  return value.replace(/^\+44(\d{4})(\d{6})$/, '0$1 $2')
}
