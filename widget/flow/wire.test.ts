// @vitest-environment node
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ErrorBody } from '../../contract/envelope.ts'
import { ProxyReport, ProxyResend } from '../../contract/tenant-proxy.ts'
import { readAnswer, readError, readResent } from './wire.ts'

/** The contract's schemas, of whose parts the screens use these. */
const Answer = z.extend(ProxyReport, {
  data: z.extend(ProxyReport.shape.data, { creditReport: z.optional(z.looseObject({})) }),
})
const Resent = z.object({ data: z.pick(ProxyResend.shape.data, { challenge: true }) })

const pound = { amount: 12_300, currency: 'GBP' }
const full = {
  meta: { test: true, fingerprintSrc: '/device', findsAddresses: true, takesSteps: true, bureaus: ['equifax'] },
  data: {
    status: 'complete',
    creditReportId: 'r1',
    challengeType: 'otp',
    challenge: {
      challengeId: 'c1',
      expiresInSeconds: 12.5,
      attemptsRemaining: 3,
      textsRemaining: 2,
      mobileNumberEnding: '123',
    },
    attemptsRemaining: 2,
    agencies: [{ id: 'equifax', status: 'answered' }],
    closed: true,
    opening: { expiresInSeconds: 12.5, attemptsRemaining: 2 },
    summary: { openAccounts: 1, settledAccounts: 0, searches: 4 },
    creditReport: {
      person: { title: 'Ms', firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27' },
      residencies: [
        {
          addressId: 'a1',
          address: { type: 'uk', ukAddress: { postcode: 'LS1 4AP' }, addressLine1: '10 High Street', lines: ['Leeds'] },
          yearsAtAddress: 1,
          monthsAtAddress: 2,
          isCurrent: true,
        },
      ],
      consumerData: {
        records: [
          {
            firstName: 'Sam',
            lastName: 'Patel',
            accountNumber: '****1234',
            accountType: 'mortgage',
            accountStatus: 'open',
            companyType: 'bank',
            companyName: 'Bank',
            numberOfPayments: 1,
            repaymentPeriod: 1,
            payment: pound,
            startBalance: pound,
            balance: pound,
            startDate: '2020-01-01',
            bureaus: [{ id: 'equifax', ref: 'x' }],
          },
        ],
      },
      previousSearches: { providers: [{ companyName: 'Bank', records: [{ date: '2026-01-01T00:00:00Z' }] }] },
    },
  },
}
const resend = { meta: full.meta, data: { remainingSmsCount: 1, smsSentCount: 2, challenge: full.data.challenge } }
const error = { code: 'rate-limited', message: 'slow down' }

const readers = [
  { name: 'a report', read: readAnswer, schema: Answer, good: full },
  { name: 'a resend', read: readResent, schema: Resent, good: resend },
  { name: 'an error', read: readError, schema: ErrorBody, good: error },
]

describe.each(readers)('$name', ({ read, schema, good }) => {
  test('is read, as far as a screen uses it', () => {
    expect(good).toMatchObject(read(good) ?? { nothing: true })
  })

  test('is refused or read in a thousand cases of damage as the contract’s schema does, and never throws', () => {
    const values = fc.constantFrom<unknown>(undefined, null, '', 'x', 0, -1, 1.5, 2 ** 60, true, [], {}, [1], [{}])
    let refused = 0
    fc.assert(
      fc.property(fc.constantFrom(...pathsOf(good)), values, (path, value) => {
        const damaged = damage(good, path, value)
        const isRead = read(damaged) !== null
        expect(isRead).toBe(schema.safeParse(damaged).success)
        refused += isRead ? 0 : 1
      }),
      { numRuns: 1_000, seed: 1 },
    )
    expect(refused).toBeGreaterThan(100)
  })
})

test.each(Object.keys(full.data.creditReport.consumerData.records[0] ?? {}))('a record without %s is read', (field) => {
  const answer = damage(full, ['data', 'creditReport', 'consumerData', 'records', 0, field], undefined)
  expect(readAnswer(answer)).not.toBeNull()
})

test.each([null, undefined, 7, 'text', [], [full]])('%j is no report', (value) => {
  expect(readAnswer(value)).toBeNull()
})

type Path = readonly (string | number)[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))]
}

function damage(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  const copy: { [key: string]: unknown } = Array.isArray(value) ? Object.assign([], value) : { ...Object(value) }
  copy[key] = damage(copy[key], rest, replacement)
  return copy
}
