import { describe, expect, test } from 'vitest'
import { type Phrase, type ReportStrings, reportStrings } from './strings.ts'
import { reportStringsCy } from './strings-cy.ts'

const GAP = /\{(\w+)\}/g

function gapsIn(value: ReportStrings[keyof ReportStrings]): Set<string> {
  return new Set([...JSON.stringify(value).matchAll(GAP)].flatMap(([, name]) => name ?? []))
}

function isPlural(value: unknown): value is Exclude<Phrase, string> {
  return typeof value === 'object' && value !== null && 'other' in value
}

const keys = Object.keys(reportStrings) as (keyof ReportStrings)[]

describe('Welsh says everything English says', () => {
  test.each(keys)('%s', (key) => {
    const english = gapsIn(reportStrings[key])
    const welsh = gapsIn(reportStringsCy[key])
    // "ddwywaith" is "two times" in one word: a number may be part of a form.
    if (isPlural(reportStringsCy[key])) english.delete('n')
    expect([...english].filter((gap) => !welsh.has(gap))).toEqual([])
    expect([...welsh].filter((gap) => gap !== 'n' && !english.has(gap))).toEqual([])
  })

  test('as many steps and meanings', () => {
    for (const key of ['wrongSteps', 'emptySteps'] as const)
      expect(reportStringsCy[key]).toHaveLength(reportStrings[key].length)
    expect(Object.keys(reportStringsCy.meanings)).toEqual(Object.keys(reportStrings.meanings))
  })
})

test('nobody is given a mark: the report never speaks of a rating, and of a score only to say it is none', () => {
  const { purpose, ...others } = reportStrings
  expect(purpose).toContain('not a score')
  expect(JSON.stringify(others)).not.toMatch(/\b(score|rating|excellent|poor|grade)\b/i)
})
