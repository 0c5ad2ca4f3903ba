// Everything a developer can choose, and how it is written into the address: a state can be shared by copying it.

import type { LocaleTag } from '../../widget/strings/locales.ts'
import type { ACCENTED_TAG } from '../host/add-accented.ts'
import type { TagChoices } from '../host/lender-parts.ts'
import { isPreset, type Preset } from '../host/presets.ts'
import { findJourney } from '../journeys/journeys.ts'
import { ADDRESSES_MAX, PEOPLE, type PersonName } from '../people.ts'
import { isTokenValue } from './tokens.ts'

export type Settings = TagChoices & {
  journey: string
  panel: Panel
  locale: PreviewLocale
  theme: 'auto' | 'light' | 'dark'
  /** 0 takes all there is. */
  widthPx: number
  direction: 'ltr' | 'rtl'
  forcedColours: boolean
  preset: Preset
  /** The shopper as the shop knows them; `no-one` leaves the form empty. */
  person: PersonName | 'no-one'
  addressCount: number
  historyMonths: number
  /** The lender's own content in every slot. */
  hasSlots: boolean
  /** The lender's own `strings`. */
  hasOwnWords: boolean
  /** `addressLookup`: addresses are found in the page. */
  hasLookup: boolean
  /** In a form that cannot be sent before the check. */
  isRequired: boolean
  /** The consumer may choose the language. */
  offersLanguages: boolean
  tokens: { [name: string]: string }
}

export const PANELS = ['events', 'requests', 'wallet', 'doctor', 'snippet'] as const
export type Panel = (typeof PANELS)[number]

export const WIDTHS_PX = { min: 280, max: 1200 }
const HISTORY_MONTHS_MAX = 120

/** The languages of the widget, and English made strange: what stays plain in it has no translation. */
export type PreviewLocale = LocaleTag | typeof ACCENTED_TAG
export const LOCALE_NAMES: { [tag in PreviewLocale]: string } = {
  'en-GB': 'English',
  cy: 'Cymraeg',
  'en-XA': 'Accents',
}
const localeTags = Object.keys(LOCALE_NAMES) as PreviewLocale[]

export const defaults: Settings = {
  journey: 'default-challenge',
  panel: 'events',
  locale: 'en-GB',
  theme: 'auto',
  widthPx: 390,
  direction: 'ltr',
  forcedColours: false,
  preset: 'plain',
  person: 'sam',
  addressCount: 1,
  historyMonths: 36,
  hasSlots: false,
  hasOwnWords: false,
  hasLookup: false,
  isRequired: false,
  offersLanguages: false,
  search: 'soft',
  hasPrivacyUrl: true,
  isMobileOptional: false,
  hasNextLabel: false,
  isLocked: false,
  tokens: {},
}

/** The hash of these settings, without `#`: only what differs from the defaults. */
export function writeSettings(settings: Settings): string {
  const { tokens, ...others } = settings
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(others)) {
    const standard: unknown = Reflect.get(defaults, name)
    if (value !== standard) query.set(name, String(value))
  }
  for (const [name, value] of Object.entries(tokens)) query.set(name, value)
  return query.toString()
}

/** The inverse. A hash is anybody's to edit: what makes no sense becomes the default. */
export function readSettings(hash: string): Settings {
  const query = new URLSearchParams(hash.replace(/^#/, ''))
  const oneOf = <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice =>
    choices.find((choice) => choice === query.get(name)) ?? fallback
  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const value = Number(query.get(name) ?? Number.NaN)
    return Number.isInteger(value) ? Math.min(max, Math.max(min, value)) : fallback
  }
  const isOn = (name: string): boolean => query.get(name) === 'true'
  const preset = query.get('preset') ?? ''
  const widthPx = whole('widthPx', defaults.widthPx, 0, WIDTHS_PX.max)
  return {
    journey: findJourney(query.get('journey'))?.id ?? defaults.journey,
    panel: oneOf('panel', PANELS, defaults.panel),
    locale: oneOf('locale', localeTags, defaults.locale),
    theme: oneOf('theme', ['auto', 'light', 'dark'], defaults.theme),
    widthPx: widthPx === 0 ? 0 : Math.max(WIDTHS_PX.min, widthPx),
    direction: oneOf('direction', ['ltr', 'rtl'], defaults.direction),
    forcedColours: isOn('forcedColours'),
    preset: isPreset(preset) ? preset : defaults.preset,
    person: oneOf('person', ['no-one', ...personNames], defaults.person),
    addressCount: whole('addressCount', defaults.addressCount, 1, ADDRESSES_MAX),
    historyMonths: whole('historyMonths', defaults.historyMonths, 0, HISTORY_MONTHS_MAX),
    hasSlots: isOn('hasSlots'),
    hasOwnWords: isOn('hasOwnWords'),
    hasLookup: isOn('hasLookup'),
    isRequired: isOn('isRequired'),
    offersLanguages: isOn('offersLanguages'),
    search: oneOf('search', ['soft', 'hard', 'none'], defaults.search),
    hasPrivacyUrl: query.get('hasPrivacyUrl') !== 'false',
    isMobileOptional: isOn('isMobileOptional'),
    hasNextLabel: isOn('hasNextLabel'),
    isLocked: isOn('isLocked'),
    tokens: Object.fromEntries([...query].filter(([name, value]) => isTokenValue(name, value))),
  }
}

const personNames = Object.keys(PEOPLE) as PersonName[]
