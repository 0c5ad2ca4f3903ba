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
