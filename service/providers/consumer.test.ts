import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { describeConsumer, sealedFields } from './consumer.ts'

const { firstName, lastName, dateOfBirth, addresses, bureaus } = sampleRequest
const optional = { title: 'Ms', middleName: 'Alex', gender: 'F', email: 'sam@example.com' } as const
const mobileNumber = '+447700900123'
const ipAddress = '203.0.113.7'
const request = { ...sampleRequest, ...optional, mobileNumber, ipAddress, searchType: 'pcp' } as const
const person = { title: 'Ms', firstName, middleName: 'Alex', lastName, dateOfBirth }

test('risk receives the person, how to reach them and where they are', () => {
  const reached = { mobileNumber, email: optional.email, ipAddress }
  expect(describeConsumer('risk', request)).toEqual({ person, addresses, ...reached })
})

test('match receives the person and the number', () => {
  expect(describeConsumer('match', request)).toEqual({ person, addresses, mobileNumber })
})

test('a bureau receives what finds a file: no telephone, no e-mail, no device', () => {
  expect(describeConsumer('bureau', request)).toEqual({
    person: { ...person, gender: 'F' },
    addresses,
    searchType: 'pcp',
  })
})

test('until the code is right, what the bureaus need is kept and nothing else', () => {
  const kept = { ...person, gender: 'F', email: optional.email, addresses, searchType: 'pcp', bureaus }
  expect(sealedFields(request)).toEqual(kept)
})

test.each([
  ['risk', 2],
  ['match', 3],
  ['bureau', 4],
] as const)('docs/operator/live-providers.md names the fields that %s receives', (provider, column) => {
  const [, table = ''] = readFileSync('docs/operator/live-providers.md', 'utf8').split('## What a provider gets')
  const rows = (table.split('```')[0] ?? '').split('\n').map((line) => line.split('|'))
  const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  const theirs = rows.filter((cells) => cells[column]?.includes('yes'))
  const named = theirs.flatMap((cells) => [...namesIn(cells[1]), ...namesIn(cells[column])])
  const { person: asPerson, ...beside } = describeConsumer(provider, request)
  const sent = [...Object.keys(asPerson), ...Object.keys(beside), 'person', 'reference']
  const more = { risk: ['tenantId', 'device'], match: ['tenantId'], bureau: [] }[provider]
  expect(named.toSorted()).toEqual([...sent, ...more].toSorted())
})
