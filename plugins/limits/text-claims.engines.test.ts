// The promises of the limits on texts, on every engine.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sampleAddress } from '../../contract/samples.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { REPORT_COLUMNS, reportValues } from '../../testing/report-rows.ts'
import { claimText, findRoom, forgetOldClaims, type TextClaim } from './text-claims.ts'
import { TEXT_LIMITS, type TextLimit } from './text-limits.ts'
import { type TextFacts, traitsOf } from './text-traits.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const START_MS = 1_794_700_800_000
const key = new Uint8Array(32).fill(1)
const addresses = [sampleAddress]
const person = { lastName: 'B', dateOfBirth: '1990-01-01', addresses }

onEachEngine('limits on texts', (place, engine) => {
  /** Two connections to one database: on PostgreSQL two pools, as two processes have them. */
  let doors: { first: Database; second: Database }
  let database: Database

  beforeAll(async () => {
    const location = await place()
    database = await openTestDatabase(location)
    doors = { first: database, second: engine === 'postgres' ? await openTestDatabase(location) : database }
  })
  afterAll(async () => {
    await database.close()
    if (doors.second !== database) await doors.second.close()
  })
  beforeEach(async () => {
    await database.run('DELETE FROM text_claim')
    await database.run('DELETE FROM text_claim_turn')
  })

  let serial = 0

  /** A new person, unless `facts` say otherwise. */
  function claimOf(facts: Partial<TextFacts> & { creditReportId?: string; send?: number; nowMs?: number }) {
    serial += 1
    const traits = traitsOf(key, {
      tenantId: 'one',
      mobileNumber: `+4477${String(serial).padStart(4, '0')}0000`,
      ipAddress: `10.${serial >> 16}.${(serial >> 8) & 255}.${serial & 255}`,
      sessionId: `session-${serial}`,
      consumer: { lastName: `Example ${serial}`, dateOfBirth: '1985-03-27', addresses },
      match: null,
      ...facts,
    })
    const { creditReportId = `report-${serial}`, send = 1, nowMs = START_MS } = facts
    return { creditReportId, send, traits, nowMs }
  }

  class Refused extends Error {}

  /** True when the text may be sent. */
  async function isAllowed(queries: Queries, text: TextClaim, limits = TEXT_LIMITS): Promise<boolean> {
    try {
      await claimText(queries, text, limits, () => new Refused())
      return true
    } catch (error) {
      if (error instanceof Refused) return false
      throw error
    }
  }

  /** As a request does it: a refusal undoes everything. */
  function claim(facts: Parameters<typeof claimOf>[0], door = database, limits = TEXT_LIMITS): Promise<boolean> {
    const text = claimOf(facts)
    const claimed = door.batch('one', (queries) => claimText(queries, text, limits, () => new Refused()))
    return claimed.then(
      () => true,
      (error) => {
        if (error instanceof Refused) return false
        throw error
      },
    )
  }

  /** One after the other, in one transaction because each commit waits for the disk. */
  function claims(count: number, facts: (index: number) => Parameters<typeof claimOf>[0]): Promise<number> {
    const wanted = Array.from({ length: count }, (_, index) => claimOf(facts(index)))
    return database.transaction(async (queries) => {
      let allowed = 0
      for (const text of wanted) if (await isAllowed(queries, text)) allowed += 1
      return allowed
    })
  }

  const range = (index: number) => `+447700900${String(index).padStart(3, '0')}`
  const apart = (index: number) => `+4477${String(index).padStart(4, '0')}0000`

  describe('how many of twenty-five texts leave within a moment', () => {
    test.each<[string, (index: number) => Parameters<typeof claimOf>[0], number]>([
      ['to one number', () => ({ mobileNumber: '+447700900123' }), 5],
      [
        'to one range of numbers from one address',
        (index) => ({ mobileNumber: range(index % 4), ipAddress: '203.0.113.7', creditReportId: `r${index}` }),
        10,
      ],
      [
        'to one range of numbers from many addresses, before anyone types a code',
        (index) => ({ mobileNumber: range(index) }),
        20,
      ],
      ['from one address to many numbers', (index) => ({ ipAddress: '203.0.113.7', mobileNumber: apart(index) }), 5],
      ['from one /64', (index) => ({ ipAddress: `2001:db8::${index}`, mobileNumber: apart(index) }), 5],
      [
        'from one /56',
        (index) => ({
          ipAddress: `2001:db8:1:1${index.toString(16).padStart(2, '0')}::1`,
          mobileNumber: apart(index),
        }),
        20,
      ],
      ['from one session to many numbers', () => ({ sessionId: 'one' }), 3],
      [
        'about one person in many reports from one address',
        (index) => ({ consumer: person, ipAddress: '203.0.113.7', mobileNumber: apart(index % 2) }),
        5,
      ],
      ['about one person from anywhere', () => ({ consumer: person }), 25],
      [
        'about one person to the number known for them',
        (index) => ({ consumer: person, mobileNumber: '+447700900123', match: 'matched', nowMs: START_MS + index }),
        5,
      ],
      ['with nothing in common', () => ({}), 25],
    ])('%s', async (_what, facts, allowed) => {
      expect(await claims(25, facts)).toBe(allowed)
    })

    test('of one tenant in one minute: three hundred', async () => {
      expect(await claims(310, () => ({}))).toBe(300)
    })

    test('to one number from any number of lenders: twenty-five', async () => {
      expect(await claims(30, (index) => ({ tenantId: `lender-${index}`, mobileNumber: '+447700900123' }))).toBe(25)
    })

    test('from one /48 to many numbers: eighty', async () => {
      const site = (index: number) => ({
        ipAddress: `2001:db8:1:${(index * 256).toString(16)}::1`,
        mobileNumber: apart(index),
        nowMs: START_MS + index * 5_000,
      })
      expect(await claims(100, site)).toBe(80)
    })
  })

  test('what one lender’s consumer did limits no one at another', async () => {
    const facts = {
      mobileNumber: '+447700900123',
      ipAddress: '203.0.113.7',
      consumer: person,
    }
    expect(await claims(6, () => facts)).toBe(5)
    expect(await claim({ ...facts, tenantId: 'other' })).toBe(true)
  })

  test('resends of one report to one number count once towards device, address and person', async () => {
    const facts = { creditReportId: 'one', sessionId: 'one', ipAddress: '203.0.113.7', mobileNumber: '+447700900123' }
    expect(await claims(3, (index) => ({ ...facts, send: index + 1 }))).toBe(3)
  })

  describe('a window', () => {
    const number = { mobileNumber: '+447700900123' }

    test('slides: the text after ten minutes is allowed, a millisecond earlier it is not', async () => {
      expect(await claims(5, () => number)).toBe(5)
      expect(await claim({ ...number, nowMs: START_MS + 10 * MINUTE_MS - 1 })).toBe(false)
      expect(await claim({ ...number, nowMs: START_MS + 10 * MINUTE_MS })).toBe(true)
    })

    test('of a day holds across many of ten minutes', async () => {
      const spread = (index: number) => ({ ...number, nowMs: START_MS + index * 11 * MINUTE_MS })
      expect(await claims(60, spread)).toBe(10)
      expect(await claim({ ...number, nowMs: START_MS + DAY_MS })).toBe(true)
    })

    test('does not open when the clock is set back', async () => {
      await claims(5, () => number)
      expect(await claim({ ...number, nowMs: START_MS - DAY_MS })).toBe(false)
    })
  })

  describe('room for a refused text', () => {
    const number = { mobileNumber: '+447700900123' }
    const roomOf = (facts: Parameters<typeof claimOf>[0]) => findRoom(database, claimOf(facts), TEXT_LIMITS)

    test('comes when one of the newest leaves the window, of the limit that takes longest', async () => {
      for (let text = 0; text < 5; text += 1) await claim({ ...number, nowMs: START_MS + text * MINUTE_MS })
      expect(await roomOf({ ...number, nowMs: START_MS + 5 * MINUTE_MS })).toBe(START_MS + 10 * MINUTE_MS)
      for (let text = 0; text < 5; text += 1) await claim({ ...number, nowMs: START_MS + (text + 1) * 60 * MINUTE_MS })
      // Ten in a day: the first, a day later.
      expect(await roomOf({ ...number, nowMs: START_MS + 301 * MINUTE_MS })).toBe(START_MS + DAY_MS)
      expect(await roomOf({ nowMs: START_MS })).toBe(START_MS)
    })

    test('counts numbers and reports, not the texts to each', async () => {
      const device = (text: number) => ({ sessionId: 'one', nowMs: START_MS + text * MINUTE_MS })
      for (let text = 0; text < 3; text += 1) await claim({ ...device(text), mobileNumber: apart(text) })
      // The first number again: it leaves the window last.
      await claim({ ...device(3), mobileNumber: apart(0) })
      expect(await roomOf({ ...device(4), mobileNumber: apart(9) })).toBe(START_MS + MINUTE_MS + DAY_MS)
      expect(await claim({ ...device(4), mobileNumber: apart(1) })).toBe(true)
    })

    test('in a range that types no code in, within the hour', async () => {
      for (let text = 0; text < 20; text += 1) await claim({ mobileNumber: range(text), nowMs: START_MS + text })
      const refused = { mobileNumber: range(20), nowMs: START_MS + MINUTE_MS }
      expect(await claim(refused)).toBe(false)
      expect(await roomOf(refused)).toBe(START_MS + 60 * MINUTE_MS)
      expect(await claim({ ...refused, nowMs: START_MS + 60 * MINUTE_MS })).toBe(true)
    })
  })

  test('a range that never types a code in is closed after twenty texts, and opens once people do', async () => {
    const pumped = (index: number) => ({ mobileNumber: range(index), nowMs: START_MS + index * MINUTE_MS })
    expect(await claims(40, pumped)).toBe(20)

    const reports = await database.all('SELECT report_id FROM text_claim LIMIT 2')
    await database.run(`INSERT INTO tenant (id, name, created_at_ms) VALUES ('t', 't', 0) ON CONFLICT (id) DO NOTHING`)
    for (const { report_id } of reports) {
      await database.run(
        `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ${REPORT_COLUMNS})
         VALUES (?, 't', 0, 'complete', 0, ${reportValues('complete')})`,
        report_id ?? null,
      )
    }
    expect(await claim(pumped(41))).toBe(true)
  })

  test('fifty texts to one number at once, through two doors: exactly five leave', async () => {
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        claim({ mobileNumber: '+447700900123' }, index % 2 === 0 ? doors.first : doors.second),
      ),
    )
    expect(results.filter(Boolean)).toHaveLength(5)
  })

  test('texts that share different traits never wait for each other in a circle', async () => {
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const facts = {
          ipAddress: `203.0.113.${index % 4}`,
          mobileNumber: apart(index % 5),
          sessionId: `one-${index % 3}`,
        }
        return claim(facts, index % 2 === 0 ? doors.first : doors.second)
      }),
    )
    expect(results).toHaveLength(40)
  })

  test('a refused text leaves nothing behind', async () => {
    await claims(5, () => ({ mobileNumber: '+447700900123' }))
    await claim({ mobileNumber: '+447700900123', tenantId: 'one' })
    const row = await database.first('SELECT COUNT(*) AS n FROM text_claim')
    expect(row?.n).toBe(5)
  })

  test.each(TEXT_LIMITS)(
    'the limit for the same $same in $windowMs ms lets the last one through, and no more',
    async (limit) => {
      const limits: TextLimit[] = [{ ...limit, max: 3 }]
      const facts = {
        ipAddress: '2001:db8:1:1::1',
        sessionId: 'one',
        consumer: person,
        ...(['number', 'everywhere', 'prefix', 'source'].includes(limit.same) ? { mobileNumber: range(1) } : {}),
      }
      const allowed: boolean[] = []
      for (let text = 0; text < 4; text += 1) allowed.push(await claim(facts, database, limits))
      expect(allowed).toEqual([true, true, true, false])
    },
  )

  test('the text that reaches four fifths of a tenant’s day says so, once', async () => {
    // Of the other limits, which are nearly reached by the first text, it says nothing.
    const limits: TextLimit[] = [
      { same: 'tenant', max: 4, windowMs: DAY_MS },
      { same: 'tenant', max: 1, windowMs: MINUTE_MS },
      { same: 'number', max: 1, windowMs: DAY_MS },
    ]
    // Those of the day before are over.
    for (let text = 0; text < 3; text += 1) await claim({ nowMs: START_MS - DAY_MS }, database, [])
    const near: boolean[] = []
    for (let text = 0; text < 4; text += 1) {
      const one = claimOf({ nowMs: START_MS + text * MINUTE_MS })
      const { nearTenantLimit } = await database.batch('one', (queries) =>
        claimText(queries, one, limits, () => new Refused()),
      )
      near.push(nearTenantLimit)
    }
    expect(near).toEqual([false, false, false, true])
  })

  test('what no limit looks at is forgotten after a day', async () => {
    await claim({ nowMs: START_MS })
    await claim({ nowMs: START_MS + 1 })
    expect(await forgetOldClaims(database, START_MS + DAY_MS + 1)).toBe(10)
    const turns = await database.first('SELECT COUNT(*) AS n FROM text_claim_turn')
    expect(turns?.n).toBe(10)
  })
})
