import type { SettingReader } from '../setting-reader.ts'
import { DESTINATIONS, TEXT_LIMITS, type TextLimit } from './limits.ts'
import { parseLimits } from './parse-limits.ts'

export type TextSettings = {
  limits: readonly TextLimit[]
  /** The beginnings of numbers texts may go to. */
  destinations: readonly string[]
}

export function readTextSettings(read: SettingReader): TextSettings {
  return {
    limits: read.as('SMS_LIMITS', 'limits such as "tenant=60/1m,5000/24h number=5/10m"', parseLimits, TEXT_LIMITS),
    destinations: read.as(
      'SMS_DESTINATIONS',
      'beginnings of numbers such as "+44,+353"',
      parseDestinations,
      DESTINATIONS,
    ),
  }
}

function parseDestinations(text: string): readonly string[] | null {
  const destinations = text.split(',').map((part) => part.trim())
  return destinations.every((destination) => /^\+[1-9]\d{0,6}$/.test(destination)) ? destinations : null
}
