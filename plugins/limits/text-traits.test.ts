import { expect, test } from 'vitest'
import { sampleAddress, sampleRequest } from '../../contract/samples.ts'
import { personIndexOf } from '../../service/check/person-index.ts'
import { placeOf } from './searches.ts'
import { TRAITS } from './text-limits.ts'
import { type TextFacts, traitsOf } from './text-traits.ts'

const key = new Uint8Array(32).fill(7)
const at = (postcode: string, type = 'current') => ({ type, ukAddress: { ...sampleAddress.ukAddress, postcode } })
const facts: TextFacts = {
  tenantId: 'demo-lender',
  mobileNumber: '+447700900123',
  ipAddress: '203.0.113.7',
  sessionId: 'session-1',
  consumer: { lastName: 'Example', dateOfBirth: '1985-03-27', addresses: [at('SW1A 1AA')] },
  match: null,
}

/** The traits that two texts share. */
function shared(one: Partial<TextFacts>, other: Partial<TextFacts>): string[] {
  const [left, right] = [traitsOf(key, { ...facts, ...one }), traitsOf(key, { ...facts, ...other })]
  return Object.entries(left).flatMap(([trait, index]) => (Object.values(right).includes(index) ? [trait] : []))
}

test('a text shares everything with itself', () => {
  expect(shared({}, {})).toEqual([...TRAITS])
})

test.each<[string, Partial<TextFacts>, string[]]>([
  ['another number of the range', { mobileNumber: '+447700909999' }, ['number', 'everywhere']],
  ['another range', { mobileNumber: '+447700910123' }, ['number', 'everywhere', 'prefix', 'source']],
  ['another address', { ipAddress: '203.0.113.8' }, ['source', 'address', 'block', 'site', 'person']],
  ['another session', { sessionId: 'session-2' }, ['device']],
  ['another person', { consumer: { ...facts.consumer, dateOfBirth: '1985-03-28' } }, ['person']],
  [
    'a namesake of the same age next door',
    { consumer: { ...facts.consumer, addresses: [at('SW1A 1AB')] } },
    ['person'],
  ],
  ['another person of the same age there', { consumer: { ...facts.consumer, lastName: 'Sample' } }, ['person']],
  ['another lender', { tenantId: 'other-lender' }, TRAITS.filter((trait) => trait !== 'everywhere')],
])('%s shares the rest', (_what, other, differing) => {
  expect(shared({}, other)).toEqual(TRAITS.filter((trait) => !differing.includes(trait)))
})

test.each([
  ['the same /64', '2001:db8:1:100::2', []],
  ['the same /56', '2001:db8:1:1ff::1', ['source', 'address', 'person']],
  ['the same /48', '2001:db8:1:200::1', ['source', 'address', 'block', 'person']],
  ['another /48', '2001:db8:2:100::1', ['source', 'address', 'block', 'site', 'person']],
])('%s of IPv6', (_what, ipAddress, differing) => {
  const one = { ipAddress: '2001:db8:1:100::1' }
  expect(shared(one, { ipAddress })).toEqual(TRAITS.filter((trait) => !differing.includes(trait)))
})

test.each([
  'EXAMPLE',
  'Exa\u200bmple',
  'Example \u200b',
  'Example.',
  'Éxample',
  'Exam-ple',
  '\u202eExample',
  'Ms Example',
  'J Example',
])('%j is the same person', (lastName) => {
  expect(shared({}, { consumer: { ...facts.consumer, lastName } })).toContain('person')
})

test('a short surname with an initial is the same person too', () => {
  const named = (lastName: string) => ({ consumer: { ...facts.consumer, lastName } })
  expect(shared(named('Li'), named('J Li'))).toContain('person')
  expect(shared(named('Li'), named('Ng'))).not.toContain('person')
})

test('a surname that is only a title or an initial is a name all the same', () => {
  const named = (lastName: string) => ({ consumer: { ...facts.consumer, lastName } })
  for (const [one, other] of [
    ['Lord', 'Lady'],
    ['O', 'U'],
    ['Dr O', 'Dr U'],
  ] as const) {
    expect(shared(named(one), named(one))).toContain('person')
    expect(shared(named(one), named(other))).not.toContain('person')
  }
})

test.each<[string, Partial<typeof sampleRequest>, string, { person: boolean; file: boolean }]>([
  ['the same request', {}, 'demo-lender', { person: true, file: true }],
  ['another spelling', { lastName: 'Dr EXAMPLE' }, 'demo-lender', { person: true, file: true }],
  ['another first name', { firstName: 'Kim' }, 'demo-lender', { person: true, file: false }],
  ['a middle name with it', { firstName: 'SAM Alex' }, 'demo-lender', { person: true, file: true }],
  ['another surname', { lastName: 'Sample' }, 'demo-lender', { person: false, file: false }],
  ['another birthday', { dateOfBirth: '1985-03-28' }, 'demo-lender', { person: false, file: false }],
  ['another lender', {}, 'other-lender', { person: false, file: false }],
  ['no address', { addresses: [] }, 'demo-lender', { person: false, file: true }],
])('%s: whether it is the same person, and the same file', (_what, changes, tenantId, same) => {
  const other = { ...sampleRequest, ...changes }
  expect({
    person: personIndexOf(key, tenantId, other) === personIndexOf(key, 'demo-lender', sampleRequest),
    file: placeOf(key, tenantId, other, 'code') === placeOf(key, 'demo-lender', sampleRequest, 'code'),
  }).toEqual(same)
})

test('a person is counted by name, date of birth and postcode only', () => {
  expect(traitsOf(key, { ...facts, consumer: sampleRequest })).toEqual(traitsOf(key, facts))
})

test('a matched number counts apart, and its person by it instead of by the network', () => {
  const matched = { match: 'matched' } as const
  expect(shared({}, matched)).toEqual(TRAITS.filter((trait) => !['number', 'prefix', 'person'].includes(trait)))
  expect(shared(matched, { ...matched, ipAddress: '198.51.100.1' })).toContain('person')
  expect(shared(matched, { ...matched, mobileNumber: '+447700909999' })).not.toContain('person')
  for (const match of ['not-matched', 'unknown'] as const) expect(shared({}, { match })).toEqual([...TRAITS])
})

const personAt = (...addresses: (typeof sampleAddress)[]) =>
  traitsOf(key, { ...facts, consumer: { ...facts.consumer, addresses } }).person

test('where no address is called current, the first counts', () => {
  const person = personAt(at('M1 1AE', 'previous'), at('LS1 4AP', 'previous'))
  expect(person).toBe(personAt(at('M1 1AE')))
  expect(person).not.toBe(personAt(at('LS1 4AP')))
})

test('whichever address comes first, the current one counts', () => {
  const [current, earlier] = [at('SW1A 1AA'), at('M1 1AE', 'previous')]
  expect(personAt(current, earlier)).toBe(personAt(current))
  expect(personAt(earlier, current)).toBe(personAt(current))
})

test('an index shows nothing of what it stands for, and another key gives another one', () => {
  const indexes = Object.values(traitsOf(key, facts))
  expect(indexes.join()).not.toMatch(/7700|203|Sam|demo/)
  expect(Object.values(traitsOf(new Uint8Array(32), facts)).filter((index) => indexes.includes(index))).toEqual([])
})
