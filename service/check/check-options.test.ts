import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Match } from '../../contract/credit-report.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { changeTenant } from '../ledger/tenants.ts'
import { matchOf, momentOf, requireAccount, requireActive } from './check-options.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const account = () => requireAccount(app.database, 'demo-lender', app.config)

test.each<[stored: Match | null, shown: object]>([
  ['matched', { match: 'matched' }],
  ['not-matched', { match: 'not-matched' }],
  [null, {}],
])('a match of %j is shown as %j', (match, shown) => {
  expect(matchOf({ match })).toEqual(shown)
})

test('a challenge is judged by the clock, in test mode by that of the demo', async () => {
  const tenant = { ...(await account()), testClockAheadMs: 7_000 }
  const options = { clock: () => 1_000, settings: { ...app.config, challengeLifetimeMs: 300 } }
  expect(momentOf(options, tenant, { test: false })).toEqual({ nowMs: 1_000, lifetimeMs: 300 })
  expect(momentOf(options, tenant, { test: true })).toEqual({ nowMs: 8_000, lifetimeMs: 300 })
})

test('a lender that is not there is forbidden, and one that is suspended begins no check', async () => {
  await expect(requireAccount(app.database, 'no-lender', app.config)).rejects.toMatchObject({ code: 'forbidden' })
  const active = await account()
  expect(requireActive(active)).toBe(active)
  const words = 'tenant "demo-lender" is suspended: open checks can be finished, new ones are refused'
  expect(() => requireActive({ ...active, isSuspended: true })).toThrow(
    expect.objectContaining({ code: 'forbidden', message: words }),
  )
  await changeTenant(app.database, 'demo-lender', { report_price_credits: 123 })
  expect((await account()).reportPriceCredits).toBe(123)
})
