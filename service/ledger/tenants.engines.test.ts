// The settings of a lender, on every engine: defaults, its own, and those never set.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database, Transactions } from '../store/database.ts'
import { changeTenant, createTenant, createTenantLimits, readTenant } from './tenants.ts'

const NOW_MS = Date.UTC(2026, 10, 15, 9)
const defaults = { reportPriceCredits: 500, textPriceCredits: 40 }

onEachEngine('a lender', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database?.close())

  let id = ''
  let lenders = 0
  beforeEach(async () => {
    lenders += 1
    id = `lender-${lenders}`
    expect(await createTenant(database, { id, name: 'Lender', nowMs: NOW_MS })).toBe(true)
  })
  const read = (tenantId = id) => readTenant(database, tenantId, defaults)

  test('has prices and a site of its own; nothing is a price too', async () => {
    const prices = { reportPriceCredits: 700, textPriceCredits: 0 }
    await createTenant(database, { id: `${id}-own`, name: 'Own', prices, checkoutHost: 'shop.example', nowMs: NOW_MS })
    expect(await read(`${id}-own`)).toMatchObject({ ...prices, checkoutHost: 'shop.example' })
    expect(await read('no-one')).toBeNull()
    await changeTenant(database, `${id}-own`, { report_price_credits: 0, text_price_credits: null })
    expect(await read(`${id}-own`)).toMatchObject({ reportPriceCredits: 0, textPriceCredits: 40 })
  })

  test('whose id is taken is not made a second time', async () => {
    expect(await createTenant(database, { id, name: 'Other', nowMs: NOW_MS })).toBe(false)
    expect(await read()).toMatchObject({ name: 'Lender' })
  })

  test('is changed in several ways at once, and no other one with it', async () => {
    await changeTenant(database, id, { name: 'New', require_all_bureaus: 0, suspended_at_ms: 0 })
    expect(await read()).toMatchObject({ name: 'New', requireAllBureaus: false, isSuspended: true })
    expect(await read('lender-1')).toMatchObject({ name: 'Lender', requireAllBureaus: true, isSuspended: false })
  })

  test('that does not exist is not changed, and nothing is done', async () => {
    const done: unknown[] = []
    const transaction: Transactions['transaction'] = async (work) => {
      const result = await database.transaction(work)
      done.push(result)
      return result
    }
    await changeTenant({ transaction }, 'no-one', { name: 'New' })
    expect(done).toEqual([false])
  })

  test('may send as many requests a minute as it or else the installation is allowed; a change counts after ten seconds', async () => {
    const time = { nowMs: NOW_MS }
    const limitOf = createTenantLimits({ database, clock: () => time.nowMs, fallback: 600 })
    const change = (perMinute: number | null) => changeTenant(database, id, { rate_limit_per_minute: perMinute })
    expect(await limitOf('no-one')).toBe(600)
    expect(await limitOf(id)).toBe(600)
    await change(5)
    expect(await limitOf(id)).toBe(600)
    time.nowMs = NOW_MS + 9_999
    expect(await limitOf(id)).toBe(600)
    expect(await limitOf('lender-1')).toBe(600)
    time.nowMs = NOW_MS + 10_000
    expect(await limitOf(id)).toBe(5)
    await change(6)
    expect(await limitOf(id)).toBe(5)
    // A clock that was set back would else keep it for as long as that.
    time.nowMs -= 1
    expect(await limitOf(id)).toBe(6)
    await change(null)
    time.nowMs += 10_000
    expect(await limitOf(id)).toBe(600)
  })
})
