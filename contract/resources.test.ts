// The smaller resources, each read as its table in the interface says.
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Profile, SelectTenant, Tenant } from './account.ts'
import { OtpResponse, OtpSubmit, ResendResponse, ResendSms } from './challenge.ts'
import { ConsumerDetails } from './consumer-details.ts'
import { CreditReport } from './credit-report.ts'
import { ErrorBody } from './envelope.ts'
import { ERROR_STATUS } from './error.ts'
import { read } from './problems.ts'
import { sampleReport, sampleVerified } from './samples.ts'
import { ProxyReport } from './tenant-proxy.ts'

const meta = { request: { timeTakenMs: 3 }, wallet: { balance: 10, cost: 0 } }

describe('submitting a code', () => {
  test.each([
    ['six digits', '123456'],
    ['leading zeros', '000001'],
    ['letters: a wrong guess, but a guess', 'abc'],
    ['spaces: likewise', '12 34 56'],
  ])('%s may be tried', (_what, code) => {
    expect(read(OtpSubmit, { challengeId: 'c1', code })).toEqual({ ok: true, value: { challengeId: 'c1', code } })
  })

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['a number', 123456],
    ['a list', ['123456']],
    ['null', null],
    ['far too long', '1'.repeat(65)],
  ])('a code that is %s is refused before it counts', (_what, code) => {
    expect(read(OtpSubmit, { challengeId: 'c1', code })).toMatchObject({ ok: false, problems: [{ path: 'code' }] })
  })

  test('the challenge must be named', () => {
    expect(read(OtpSubmit, { code: '123456' })).toMatchObject({ ok: false, problems: [{ path: 'challengeId' }] })
    expect(read(ResendSms, {})).toMatchObject({ ok: false, problems: [{ path: 'challengeId' }] })
  })

  test.each([
    ['complete', sampleVerified],
    ['retry', { status: 'retry', creditReportId: 'r1', errorMessage: 'no', attemptsRemaining: 2 }],
    ['failed', { status: 'failed', creditReportId: 'r1', errorMessage: 'no' }],
  ])('%s is an answer', (_status, data) => {
    expect(read(OtpResponse, { meta, data })).toEqual({ ok: true, value: { meta, data } })
  })

  test('a resend answers without a wallet', () => {
    const answer = { meta: { request: { timeTakenMs: 1 } }, data: { remainingSmsCount: 1, smsSentCount: 2 } }
    expect(read(ResendResponse, answer)).toEqual({ ok: true, value: answer })
  })
})

describe('a report', () => {
  test('reads back whole', () => {
    expect(read(CreditReport, sampleReport)).toEqual({ ok: true, value: sampleReport })
  })

  test('account types, statuses and unknown fields pass', () => {
    const [record] = sampleReport.consumerData.records
    const strange = { ...record, accountType: 'telepathy-plan', accountStatus: 'dormant', mood: 'good' }
    expect(read(CreditReport, { ...sampleReport, consumerData: { records: [strange] } }).ok).toBe(true)
  })

  test('money that is not whole pence does not', () => {
    const [record] = sampleReport.consumerData.records
    const bent = { ...record, balance: { amount: 10.5, currency: 'GBP' } }
    expect(read(CreditReport, { ...sampleReport, consumerData: { records: [bent] } })).toMatchObject({
      ok: false,
      problems: [{ path: 'consumerData.records[0].balance.amount' }],
    })
  })
})

describe('accounts and errors', () => {
  test('a profile and a list of tenants are read', () => {
    const profile = {
      id: 'd4f0f5a2-7a3e-4f43-9a55-3f0d1b2c4e5f',
      firstName: 'Sam',
      lastName: 'Lee',
      email: 'sam@demo-lender.example',
      totpEnabled: false,
      createdAt: '2026-01-01T00:00:00.000Z',
    }
    expect(read(Profile, profile)).toEqual({ ok: true, value: profile })
    expect(read(z.array(Tenant), [{ id: 'demo-lender', name: 'Demo Lender' }]).ok).toBe(true)
    expect(read(SelectTenant, { tenantId: '' }).ok).toBe(false)
  })

  test('every code of the interface has its status', () => {
    expect(ERROR_STATUS).toMatchObject({
      'validation-error': 400,
      'insufficient-funds': 402,
      'credit-report-not-found': 404,
      'challenge-not-found': 404,
      'challenge-expired': 410,
      'rate-limited': 429,
    })
  })

  test('an error of a newer service is still read', () => {
    expect(read(ErrorBody, { code: 'brand-new', message: 'words' }).ok).toBe(true)
  })
})

describe('between widget and proxy', () => {
  test('a browser cannot say what belongs to the lender', () => {
    const { firstName, lastName, dateOfBirth } = sampleReport.person
    const details = {
      sessionId: 's1',
      firstName,
      lastName,
      dateOfBirth,
      addresses: [{ type: 'current', ukAddress: { buildingNumber: '1', townOrCity: 'Ambleford', postcode: 'M1 1AE' } }],
    }
    const tampered = {
      ...details,
      test: true,
      challengeOptions: { status: 'allow' },
      ipAddress: '1.1.1.1',
      bureaus: ['equifax'],
      searchType: 'pcp',
      externalReference: 'mine',
    }
    expect(read(ConsumerDetails, tampered)).toEqual({ ok: true, value: details })
  })

  test('nothing in progress is an answer too', () => {
    expect(read(ProxyReport, { meta: { test: false }, data: { status: 'none' } }).ok).toBe(true)
  })
})
