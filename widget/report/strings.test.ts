import { describe, expect, test } from 'vitest'
import { LOCALES, type Locale } from '../strings/locales.ts'
import { type HelpStrings, helpStrings } from './help/strings.ts'
import { type Phrase, type ReportStrings, reportStrings } from './strings.ts'

const GAP = /\{(\w+)\}/g

function gapsIn(value: unknown): Set<string> {
  return new Set([...JSON.stringify(value).matchAll(GAP)].flatMap(([, name]) => name ?? []))
}

function isPlural(value: unknown): value is Exclude<Phrase, string> {
  return typeof value === 'object' && value !== null && 'other' in value
}

const keys = Object.keys(reportStrings) as (keyof ReportStrings)[]

const languages = Object.entries<Locale>(LOCALES)

describe.each(languages)('%s says everything English says', async (_tag, { load }) => {
  const { report: translated, help: loadHelp } = await load()
  const help = (await loadHelp?.()) ?? helpStrings

  test.each(keys)('%s', (key) => {
    const english = gapsIn(reportStrings[key])
    const theirs = gapsIn(translated[key])
    // "ddwywaith" is "two times" in one word: a number may be part of a form.
    if (isPlural(translated[key])) english.delete('n')
    expect([...english].filter((gap) => !theirs.has(gap))).toEqual([])
    expect([...theirs].filter((gap) => gap !== 'n' && !english.has(gap))).toEqual([])
  })

  test.each(Object.keys(helpStrings) as (keyof HelpStrings)[])('%s', (key) => {
    expect([...gapsIn(help[key])]).toEqual([...gapsIn(helpStrings[key])])
  })

  test('as many steps and meanings', () => {
    expect(translated.emptySteps).toHaveLength(reportStrings.emptySteps.length)
    expect(help.wrongSteps).toHaveLength(helpStrings.wrongSteps.length)
    expect(Object.keys(help.meanings)).toEqual(Object.keys(helpStrings.meanings))
  })
})

test('the report gives no marks: it never speaks of a rating, and of a score only to say it is none', () => {
  const { purpose, ...others } = reportStrings
  expect(purpose).toContain('not a score')
  expect(JSON.stringify({ ...others, ...helpStrings })).not.toMatch(/\b(score|rating|excellent|poor|grade)\b/i)
})
