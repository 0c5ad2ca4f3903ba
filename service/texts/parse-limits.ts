import { TEXT_LIMITS, type TextLimit, type Trait } from './limits.ts'

const UNITS_MS: { [unit: string]: number } = { m: 60_000, h: 3_600_000 }
/** Claims are kept for a day, so a longer window would forget half of what it counts. */
const WINDOW_MAX_MS = 24 * 3_600_000

/**
 * `tenant=120/1m,20000/24h number=3/10m` → the default limits with those of the named traits replaced; null when it makes
 * no sense.
 */
export function parseLimits(text: string): readonly TextLimit[] | null {
  const given: TextLimit[] = []
  for (const word of text.split(/\s+/)) {
    const [name = '', list = ''] = word.split('=', 2)
    const same = TEXT_LIMITS.find((limit) => limit.same === name)?.same
    if (same === undefined || word.split('=').length !== 2) return null
    for (const part of list.split(',')) {
      const limit = parseLimit(same, part)
      if (limit === null) return null
      given.push(limit)
    }
  }
  const replaced = new Set(given.map(({ same }) => same))
  return [...TEXT_LIMITS.filter(({ same }) => !replaced.has(same)), ...given]
}

function parseLimit(same: Trait, text: string): TextLimit | null {
  const [, max, length, unit = ''] = /^(\d{1,9})\/(\d{1,4})([mh])$/.exec(text) ?? []
  const windowMs = Number(length) * (UNITS_MS[unit] ?? Number.NaN)
  return windowMs > 0 && windowMs <= WINDOW_MAX_MS ? { same, max: Number(max), windowMs } : null
}
