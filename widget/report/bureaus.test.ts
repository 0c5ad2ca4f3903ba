import { describe, expect, test } from 'vitest'
import { bureauOf, isDifferent, marksOf, sourcesOf, whomToAsk } from './bureaus.ts'
import { readRecord } from './read-report.ts'

const records = (...bureaus: object[][]) => bureaus.map((list) => readRecord({ bureaus: list }))
const named = (list: readonly { name: string }[]) => list.map(({ name }) => name)
const said = (statuses: { [id: string]: string }) => Object.entries(statuses).map(([id, status]) => ({ id, status }))

test('known agencies have their name and website', () => {
  expect(bureauOf('transunion')).toEqual({ id: 'transunion', name: 'TransUnion', website: 'www.transunion.co.uk' })
})

test.each([
  ['fourth-bureau', 'Fourth bureau'],
  ['constructor', 'Constructor'],
])('an unknown agency is shown by its identifier: %s', (id, name) => {
  expect(bureauOf(id)).toEqual({ id, name })
})

describe('where a report comes from', () => {
  test('without a word from the server, each agency of the records is named once, in alphabetical order', () => {
    const sources = sourcesOf(undefined, records([{ id: 'transunion' }, { id: 'equifax' }], [{ id: 'equifax' }], []))
    expect(named(sources.answered)).toEqual(['Equifax', 'TransUnion'])
    expect(sources.isKnown).toBe(false)
  })

  test('a status this version does not know is no answer', () => {
    const sources = sourcesOf(said({ transunion: 'newer', experian: 'no-file', equifax: 'answered' }), [])
    expect(named(sources.all)).toEqual(['Equifax', 'Experian', 'TransUnion'])
    expect([sources.answered, sources.noFile, sources.away].map(named)).toEqual([
      ['Equifax'],
      ['Experian'],
      ['TransUnion'],
    ])
  })

  test('who answered is asked; every agency there is where none is named', () => {
    expect(named(whomToAsk(sourcesOf(said({ experian: 'no-file', equifax: 'unavailable' }), [])))).toEqual(['Experian'])
    expect(named(whomToAsk(sourcesOf(undefined, [])))).toEqual(['Equifax', 'Experian', 'TransUnion'])
  })
})

describe('the marks of an account', () => {
  const sources = sourcesOf(said({ equifax: 'answered', experian: 'no-file', transunion: 'unavailable' }), [])
  const marks = (...bureaus: object[]) => marksOf(readRecord({ bureaus }), sources)
  const states = (...bureaus: object[]) => marks(...bureaus).map(({ bureau, state }) => [bureau.name, state])

  test('say of every agency that it reports it, does not, or did not answer', () => {
    expect(states({ id: 'equifax' })).toEqual([
      ['Equifax', 'reports'],
      ['Experian', 'silent'],
      ['TransUnion', 'away'],
    ])
  })

  test('an agency that was not named before is added', () => {
    expect(states({ id: 'fourth' }).at(-1)).toEqual(['Fourth', 'reports'])
  })

  test.each([
    ['one leaves it out', [{ id: 'equifax' }], true],
    ['both report it', [{ id: 'equifax' }, { id: 'experian' }], false],
    ['one says otherwise', [{ id: 'equifax' }, { id: 'experian', differs: { accountStatus: 'default' } }], true],
  ])('%s: %j, different is %s', (_what, bureaus, expected) => {
    expect(isDifferent(marks(...bureaus))).toBe(expected)
  })
})
