// Two services on one PostgreSQL, one of them on a machine whose clock is wrong (libfaketime): they go by the
// database's time.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { liveRequest } from '../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { type ServiceChild, signIn, startChild } from './faults/service-child.ts'

/** Debian: apt install faketime. */
const library = (existsSync('/usr/lib') ? readdirSync('/usr/lib') : [])
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path))
const REPORTS = '/demo-lender/v1/credit-reports'

describe.runIf(library).each([
  ['seven seconds behind', '-7s', -7_000, true],
  ['ten minutes ahead', '+600s', 600_000, false],
])('a machine %s', (_name, faketime, offMs, isReady) => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'))
  let server: ThrowawayPostgres
  let wrong: ServiceChild
  let right: ServiceChild
  beforeAll(async () => {
    server = await startThrowawayPostgres()
    const environment = { DATABASE_URL: await server.createDatabase(), DATABASE_TIMEOUT_MS: '60000', DATA_DIR: folder }
    const clock = { LD_PRELOAD: String(library), FAKETIME: faketime, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
    wrong = await startChild(environment, clock)
    right = await startChild(environment)
  })
  afterAll(async () => {
    await Promise.all([wrong?.kill(), right?.kill()])
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('has the wrong time, and wants no work only when that breaks a promise', async () => {
    const shown = Date.parse((await fetch(`${wrong.url}/healthz`)).headers.get('Date') ?? '')
    expect(Math.abs(shown - Date.now() - offMs)).toBeLessThan(3_000)
    expect([await wrong.isReady(), await right.isReady()]).toEqual([isReady, true])
  })

  test.each([
    ['begun there and finished elsewhere', () => [wrong, right] as const],
    ['begun elsewhere and finished there', () => [right, wrong] as const],
  ])('serves a check %s, with tokens of the other', async (_way, pair) => {
    const [first, second] = pair()
    const sessionId = await first.openSession()
    const begun = await second.call(
      REPORTS,
      { ...liveRequest(), sessionId },
      { Authorization: `Bearer ${await signIn(first.url)}` },
    )
    expect(begun.status).toBe(200)
    const { creditReportId, challenge } = begun.body.data
    const code = await second.codeOf(creditReportId)
    const done = await first.call(`${REPORTS}/${creditReportId}/otp-challenge`, { ...challenge, code })
    expect([done.status, done.body.data.status]).toEqual([200, 'complete'])
  })
})
