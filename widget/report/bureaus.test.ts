import { expect, test } from 'vitest'
import { bureauOf, bureausOf } from './bureaus.ts'
import { readRecord } from './read-report.ts'

test('known agencies have their name and website', () => {
  expect(bureauOf('transunion')).toEqual({ name: 'TransUnion', website: 'www.transunion.co.uk' })
})

test.each([
  ['fourth-bureau', 'Fourth bureau'],
  ['constructor', 'Constructor'],
])('an unknown agency is shown by its identifier: %s', (id, name) => {
  expect(bureauOf(id)).toEqual({ name })
})

test('each agency is named once, in alphabetical order', () => {
  const records = [
    {
      bureaus: [
        { id: 'transunion', ref: '1' },
        { id: 'equifax', ref: '2' },
      ],
    },
    { bureaus: [{ id: 'equifax', ref: '3' }] },
    {},
  ]
  expect(bureausOf(records.map(readRecord)).map(({ name }) => name)).toEqual(['Equifax', 'TransUnion'])
})
