import type { SettingReader } from '../../kit/setting-reader.ts'
import { DESTINATIONS, TEXT_LIMITS, type TextLimit, type Trait } from './text-limits.ts'

export type TextSettings = ReturnType<typeof readTextSettings>

export function readTextSettings(read: SettingReader) {
  return {
    limits: read.as('SMS_LIMITS', 'limits such as "tenant=60/1m,5000/24h number=5/10m"', parseLimits, TEXT_LIMITS),
    /** The beginnings of numbers texts may go to. */
    destinations: read.as(
      'SMS_DESTINATIONS',
      'beginnings of numbers such as "+44,+353"',
      parseDestinations,
      DESTINATIONS,
    ),
  }
}

function parseDestinations(given: string): readonly string[] | null {
  const destinations = given.split(',').map((part) => part.trim())
  return destinations.every((destination) => /^\+[1-9]\d{0,6}$/.test(destination)) ? destinations : null
}

const UNITS_MS: { [unit: string]: number } = { m: 60_000, h: 3_600_000 }
/** Claims are kept for a day, so a longer window would forget half of what it counts. */
const WINDOW_MAX_MS = 24 * 3_600_000

/**
 * `tenant=120/1m,20000/24h number=3/10m` → the default limits with those of the named traits replaced; null when it
 * makes no sense.
 */
export function parseLimits(given: string): readonly TextLimit[] | null {
  const limits: TextLimit[] = []
  for (const word of given.split(/\s+/)) {
    const [name = '', list = ''] = word.split('=', 2)
    const same = TEXT_LIMITS.find((limit) => limit.same === name)?.same
    if (same === undefined || word.split('=').length !== 2) return null
    for (const part of list.split(',')) {
      const limit = parseLimit(same, part)
      if (limit === null) return null
      limits.push(limit)
    }
  }
  const replaced = new Set(limits.map(({ same }) => same))
  return [...TEXT_LIMITS.filter(({ same }) => !replaced.has(same)), ...limits]
}

function parseLimit(same: Trait, given: string): TextLimit | null {
  const [, max, length, unit = ''] = /^(\d{1,9})\/(\d{1,4})([mh])$/.exec(given) ?? []
  const windowMs = Number(length) * (UNITS_MS[unit] ?? Number.NaN)
  return windowMs > 0 && windowMs <= WINDOW_MAX_MS ? { same, max: Number(max), windowMs } : null
}
