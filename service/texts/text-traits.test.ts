import { expect, test } from 'vitest'
import { type TextFacts, traitsOf } from './text-traits.ts'

const key = new Uint8Array(32).fill(7)
const facts: TextFacts = {
  tenantId: 'demo-lender',
  mobileNumber: '+447700900123',
  ipAddress: '203.0.113.7',
  sessionId: 'session-1',
  person: { firstName: 'Sam', lastName: 'Example', dateOfBirth: '1985-03-27', postcode: 'SW1A 1AA' },
}

/** The traits that two texts share. */
function shared(one: Partial<TextFacts>, other: Partial<TextFacts>): string[] {
  const [left, right] = [traitsOf(key, { ...facts, ...one }), traitsOf(key, { ...facts, ...other })]
  return Object.entries(left).flatMap(([trait, index]) => (Object.values(right).includes(index) ? [trait] : []))
}

test('a text shares everything with itself', () => {
  expect(shared({}, {})).toEqual(['number', 'prefix', 'address', 'device', 'person', 'tenant'])
})

test.each<[string, Partial<TextFacts>, string]>([
  ['another number of the range', { mobileNumber: '+447700909999' }, 'number'],
  ['another address', { ipAddress: '203.0.113.8' }, 'address'],
  ['another session', { sessionId: 'session-2' }, 'device'],
  ['another person', { person: { ...facts.person, dateOfBirth: '1985-03-28' } }, 'person'],
  ['another tenant', { tenantId: 'other-lender' }, 'tenant'],
])('%s shares all but one trait', (_what, other, trait) => {
  expect(shared({}, other)).toEqual(
    ['number', 'prefix', 'address', 'device', 'person', 'tenant'].filter((name) => name !== trait),
  )
})

test('another range shares neither number nor prefix', () => {
  expect(shared({}, { mobileNumber: '+447700910123' })).toEqual(['address', 'device', 'person', 'tenant'])
})

test('a person in capitals is the same person', () => {
  expect(shared({}, { person: { ...facts.person, firstName: 'SAM', lastName: 'EXAMPLE' } })).toContain('person')
})

test('an index shows nothing of what it stands for, and another key gives another one', () => {
  const indexes = Object.values(traitsOf(key, facts))
  expect(indexes.join()).not.toMatch(/7700|203|Sam|demo/)
  expect(Object.values(traitsOf(new Uint8Array(32), facts)).filter((index) => indexes.includes(index))).toEqual([])
})
