import type { JSX } from 'preact'
import { PRESETS, type Preset } from '../../host/presets.ts'
import { ADDRESSES_MAX, PEOPLE, type PersonName } from '../../people.ts'
import { LOCALE_NAMES, type PreviewLocale } from '../settings.ts'
import { change, restart, settings } from '../state.ts'
import { Segments, Select, Switch } from './choice.tsx'

const presets = (Object.entries(PRESETS) as [Preset, { title: string }][]).map(
  ([name, { title }]) => [name, title] as const,
)
const people: readonly (readonly [PersonName | 'no-one', string])[] = [
  ['no-one', 'No one: an empty form'],
  ...(Object.entries(PEOPLE) as [PersonName, { title: string }][]).map(([name, { title }]) => [name, title] as const),
]
const languages = Object.entries(LOCALE_NAMES) as [PreviewLocale, string][]
const addressCounts = Array.from({ length: ADDRESSES_MAX }, (_, index) => [index + 1, String(index + 1)] as const)
const histories = [
  [0, 'not asked for'],
  [36, '3 years'],
  [60, '5 years'],
  [120, '10 years'],
] as const

const SEARCHES = [
  ['soft', 'soft'],
  ['hard', 'hard'],
  ['none', 'not said'],
] as const

export function Knobs(): JSX.Element {
  const { locale, theme, direction, forcedColours, preset, person, addressCount, historyMonths } = settings.value
  const { hasSlots, hasOwnWords, hasLookup, offersLanguages, isRequired } = settings.value
  const { search, hasPrivacyUrl, isMobileOptional, hasNextLabel, isLocked } = settings.value
  return (
    <section class="knobs" aria-labelledby="knobs-title">
      <h2 id="knobs-title">Page and person</h2>
      <Segments
        label="Colour scheme"
        value={theme}
        options={[
          ['auto', 'Auto'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
        onChoose={(chosen) => change({ theme: chosen })}
      />
      <Segments label="Language" value={locale} options={languages} onChoose={(chosen) => change({ locale: chosen })} />
      <Select
        label="Host page"
        value={preset}
        options={presets}
        onChoose={(chosen) => {
          change({ preset: chosen })
          restart()
        }}
      />
      <Select
        label="Prefill"
        value={person}
        options={people}
        onChoose={(chosen) => {
          change({ person: chosen })
          restart()
        }}
      />
      <Select
        label="Prefilled addresses"
        value={addressCount}
        options={addressCounts}
        onChoose={(chosen) => {
          change({ addressCount: chosen })
          restart()
        }}
      />
      <Select
        label="Address history"
        value={historyMonths}
        options={
          histories.some(([months]) => months === historyMonths)
            ? histories
            : [...histories, [historyMonths, `${historyMonths} months`]]
        }
        onChoose={(chosen) => change({ historyMonths: chosen })}
      />
      <Select
        label="Kind of search (search)"
        value={search}
        options={SEARCHES}
        onChoose={(chosen) => {
          change({ search: chosen })
          restart()
        }}
      />
      <TagSwitch label="Privacy notice (privacy-url)" isOn={hasPrivacyUrl} name="hasPrivacyUrl" />
      <TagSwitch label="Mobile not needed (mobile)" isOn={isMobileOptional} name="isMobileOptional" />
      <TagSwitch label="A button below the report (next-label)" isOn={hasNextLabel} name="hasNextLabel" />
      <TagSwitch label="Prefill cannot be changed (locked)" isOn={isLocked} name="isLocked" />
      <Switch label="Fill every slot" isOn={hasSlots} onSwitch={(isOn) => change({ hasSlots: isOn })} />
      <Switch label="Own words (strings)" isOn={hasOwnWords} onSwitch={(isOn) => change({ hasOwnWords: isOn })} />
      <Switch
        label="Find addresses (addressLookup)"
        isOn={hasLookup}
        onSwitch={(isOn) => change({ hasLookup: isOn })}
      />
      <Switch
        label="Offer a choice of language (locales)"
        isOn={offersLanguages}
        onSwitch={(isOn) => change({ offersLanguages: isOn })}
      />
      <Switch
        label="In a form that needs it (required)"
        isOn={isRequired}
        onSwitch={(isOn) => {
          change({ isRequired: isOn })
          restart()
        }}
      />
      <Switch
        label="Right-to-left page"
        isOn={direction === 'rtl'}
        onSwitch={(isOn) => {
          change({ direction: isOn ? 'rtl' : 'ltr' })
          restart()
        }}
      />
      <Switch label="Forced colours" isOn={forcedColours} onSwitch={(isOn) => change({ forcedColours: isOn })} />
      {forcedColours && (
        <p class="note">An approximation. Your browser’s developer tools can force colours truly, under “Rendering”.</p>
      )}
    </section>
  )
}

type TagSwitchProps = {
  label: string
  isOn: boolean
  name: 'hasPrivacyUrl' | 'isMobileOptional' | 'hasNextLabel' | 'isLocked'
}

/** An attribute of the tag: another page. */
function TagSwitch({ label, isOn, name }: TagSwitchProps): JSX.Element {
  return (
    <Switch
      label={label}
      isOn={isOn}
      onSwitch={(isOn) => {
        change({ [name]: isOn })
        restart()
      }}
    />
  )
}
