// Noise does not hide an attack: an hour of failed sign-ins ends with a line that counts them. On both engines.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { createUsers } from './users.ts'

hashQuickly()

const HOUR_MS = 3_600_000

onEachEngine('failed sign-ins', (place) => {
  let service: TestService
  let samId: string

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    const users = createUsers({ database: service.database, clock: () => service.time.nowMs })
    samId = (await users.findByEmail(SAM[0]))?.id ?? ''
  })
  afterAll(() => service.stop())

  async function fail(times: number, email: string = SAM[0]) {
    for (let count = 0; count < times; count += 1) {
      // No more than the limit of one address in a minute.
      if (count % 9 === 0) service.time.nowMs += 60_000
      await service.browser().signIn(email, 'wrong')
    }
  }
  const lines = (outcome: string) =>
    service.database.all<{ tenant_id: string; object: string; change_json: string | null }>(
      `SELECT tenant_id, object, actor_email, change_json FROM audit_event
       WHERE action = 'sign-in.try' AND outcome = ? ORDER BY sequence`,
      outcome,
    )
  const summaries = async () => (await lines('400')).filter(({ change_json }) => change_json !== null)

  test('many in an hour leave a line with their count, once the hour is over, and once', async () => {
    service.time.nowMs = Math.ceil(service.time.nowMs / HOUR_MS) * HOUR_MS
    await fail(23)
    await fail(3, 'no-one@demo-lender.example')
    await service.sweeper.sweep()
    expect(await summaries()).toEqual([])
    service.time.nowMs += HOUR_MS
    // The count of the next hour begins meanwhile.
    await fail(10)
    await Promise.all([service.sweeper.sweep(), service.sweeper.sweep()])
    await service.sweeper.sweep()
    expect(await summaries()).toEqual([
      {
        tenant_id: 'demo-lender',
        object: samId,
        actor_email: SAM[0],
        change_json: JSON.stringify({ from: null, to: { 'failed sign-ins': 23 } }),
      },
    ])
  })

  test('ten or fewer have their own lines and need no other', async () => {
    const before = await summaries()
    service.time.nowMs += HOUR_MS
    await service.sweeper.sweep()
    expect(await summaries()).toEqual(before)
    expect(await service.database.all(`SELECT 1 AS one FROM guess WHERE subject LIKE 'failed%'`)).toEqual([])
  })
})
