// Counts the round trips of a request to PostgreSQL: each costs a lender the distance to its database.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { createDeviceSessions, type DeviceSessions } from '../devices/sessions.ts'
import type { TextMessage } from '../providers/providers.ts'

const SMS = {
  SMS_PROVIDER: 'http',
  SMS_URL: 'http://127.0.0.1:1',
  SMS_TOKEN: 'a token for texts',
  SMS_FROM: 'Lender',
  SMS_RECEIPT_SECRET: 'a secret for receipts that is long',
}

let postgres: ThrowawayPostgres
let app: TestApp
let sessions: DeviceSessions
const texts: TextMessage[] = []

beforeAll(async () => {
  postgres = await startThrowawayPostgres()
  app = await createTestApp({
    databaseUrl: await postgres.createDatabase(),
    environment: SMS,
    claimDevice: (use) => sessions.claim(use),
    providers: {
      sms: {
        async send(text) {
          texts.push(text)
          return 'delivered'
        },
      },
    },
  })
  const { database, config, time } = app
  sessions = createDeviceSessions({ database, secretKeys: config.secretKeys, clock: () => time.nowMs })
})
afterAll(async () => {
  await app?.close()
  await postgres?.stop()
})

let serial = 0
async function newRequest(lastName: string) {
  serial += 1
  const sessionId = await sessions.open({ body: null, headers: new Headers(), address: null })
  return { ...liveRequest(lastName), sessionId, mobileNumber: `+447700900${100 + serial}` }
}
const withKey = () => ({ 'Idempotency-Key': crypto.randomUUID() })
const codeOf = (text: TextMessage | undefined) => /^\d{6}/.exec(text?.body ?? '')?.[0]

/** Statements that are sent without waiting for one another's answers are one round trip. */
async function countRoundTrips(request: () => Promise<{ status: number }>): Promise<number> {
  const { query } = pg.Client.prototype
  let count = 0
  let isSending = false
  const queries = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    if (!isSending) {
      count += 1
      isSending = true
      queueMicrotask(() => {
        isSending = false
      })
    }
    return Reflect.apply(query, this, given)
  })
  expect((await request()).status).toBe(200)
  queries.mockRestore()
  return count
}

test('a check takes few round trips', async () => {
  // The first of each kind: allowances are leased, signing keys and tenants read.
  const first = (await app.generate(await newRequest('Challenge'), withKey())).body.data
  await app.submit(first, codeOf(texts.at(-1)))

  const allowed = await newRequest('Allow')
  const allow = await countRoundTrips(() => app.generate(allowed, withKey()))
  const challenged = await newRequest('Challenge')
  let started = first
  const challenge = await countRoundTrips(async () => {
    const answer = await app.generate(challenged, withKey())
    started = answer.body.data
    return answer
  })
  const resend = await countRoundTrips(() => app.resend(started, withKey()))
  const wrong = await countRoundTrips(() => app.submit(started, 'wrong!'))
  const right = await countRoundTrips(() => app.submit(started, codeOf(texts.at(-1))))
  expect({ allow, challenge, resend, wrong, right }).toEqual({ allow: 3, challenge: 4, resend: 3, wrong: 2, right: 3 })
})
