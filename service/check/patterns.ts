// Rules that the contract checks in code, as regular expressions: for readers of the document, and for tools that make requests from it.
import { AREAS } from '../../contract/postcode.ts'

/** The real days of these years. */
export function datePattern(yearMin: number, yearMax: number): string {
  const years = Array.from({ length: yearMax - yearMin + 1 }, (_, index) => yearMin + index)
  const leapYears = years.filter((year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
  const days = [
    '02-(?:0[1-9]|1[0-9]|2[0-8])',
    '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
    '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  ]
  return `^(?:(?:${byDecade(years)})-(?:${days.join('|')})|(?:${byDecade(leapYears)})-02-29)$`
}

/** `1904, 1908, 1912` → `190[48]|191[2]`. */
function byDecade(years: readonly number[]): string {
  const decades = new Map<number, string>()
  for (const year of years) {
    const decade = Math.floor(year / 10)
    decades.set(decade, `${decades.get(decade) ?? ''}${year % 10}`)
  }
  return [...decades].map(([decade, digits]) => `${decade}[${digits.replace('0123456789', '0-9')}]`).join('|')
}

/** A whole postcode of a real area, in either case, with or without its space. */
export function postcodePattern(): string {
  const secondLetters = new Map<string, string[]>()
  for (const area of AREAS.split('|')) {
    secondLetters.set(area.charAt(0), [...(secondLetters.get(area.charAt(0)) ?? []), area.slice(1)])
  }
  const areas = [...secondLetters].map(([first, seconds]) => {
    const letters = seconds.join('')
    const second = letters === '' ? '' : `[${eitherCase(letters)}]${seconds.includes('') ? '?' : ''}`
    return `[${eitherCase(first)}]${second}`
  })
  const inward = '[0-9][ABD-HJLNP-UW-Zabd-hjlnp-uw-z]{2}'
  return `^(?:(?:${areas.join('|')})[0-9][0-9A-Za-z]?|[Gg][Ii][Rr]) ?${inward}$`
}

function eitherCase(letters: string): string {
  return letters + letters.toLowerCase()
}
