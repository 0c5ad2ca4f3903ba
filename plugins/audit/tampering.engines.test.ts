// The owner of the tables, without SECRET_KEY, deletes, cuts, chains again, forges and replaces: each is found.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../service/store/database.ts'
import { findWrongTrigger } from '../../service/store/triggers.ts'
import { openSigningKeys } from '../../service/tokens/signing-keys.ts'
import { openChain, SAMPLE_EVENT } from '../../testing/audit-chain.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { ALL_TABLES, openTestDatabase } from '../../testing/open-database.ts'
import { compareHead, readVerified } from './check-chain.ts'
import { linkOf } from './link.ts'
import { readHead, signHead } from './signed-head.ts'
import { writeAudit } from './store.ts'
import type { AuditHeadRow, AuditRow } from './tables.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.now()
const MONTH = 31 * DAY_MS

onEachEngine('the trail', (place) => {
  let database: Database
  let chain: Awaited<ReturnType<typeof openChain>>
  beforeEach(async () => {
    database = await openTestDatabase(await place())
    chain = await openChain(database)
    chain.time.nowMs = NOW_MS - DAY_MS
    await write(5)
    await chain.publish()
    chain.time.nowMs = NOW_MS
    await write(5)
    expect(await chain.problems()).toEqual([])
    await chain.disarm()
  })
  afterEach(() => database.close())

  async function write(count: number): Promise<void> {
    for (let index = 0; index < count; index += 1)
      await writeAudit(database, { ...SAMPLE_EVENT, atMs: chain.time.nowMs + index })
    await chain.linkAll()
  }
  const run = (sql: string) => database.run(sql)
  const head = async () => {
    const row = await database.first<AuditHeadRow>("SELECT * FROM audit_head WHERE tenant_id = 'acme'")
    if (row === null) throw new Error('there is no head')
    return row
  }

  /** Links again what is left, behind what is said to be deleted, and moves the head there. */
  async function chainAgain(deleted = { position: 0, hash: '' }): Promise<void> {
    let { position, hash } = deleted
    const rows = await database.all<AuditRow>(
      "SELECT * FROM audit_event WHERE tenant_id = 'acme' ORDER BY link_position",
    )
    await run("UPDATE audit_event SET link_position = NULL, link_hash = NULL WHERE tenant_id = 'acme'")
    for (const row of rows) {
      position += 1
      hash = linkOf(hash, position, row)
      const link = 'UPDATE audit_event SET link_position = ?, link_hash = ? WHERE sequence = ?'
      await database.run(link, position, hash, row.sequence)
    }
    const move =
      "UPDATE audit_head SET position = ?, hash = ?, deleted_position = ?, deleted_hash = ? WHERE tenant_id = 'acme'"
    await database.run(move, position, hash, deleted.position, deleted.hash)
  }

  async function wipe(tenantId: string): Promise<void> {
    for (const table of ['audit_kept_head', 'audit_head', 'audit_event'])
      await database.run(`DELETE FROM ${table} WHERE tenant_id = ?`, tenantId)
  }
  const HASH_OF = (position: number) =>
    `(SELECT link_hash FROM audit_event WHERE tenant_id = 'acme' AND link_position = ${position})`
  type Attack = [name: string, attack: () => Promise<unknown>, problem: RegExp]
  test.each<Attack>([
    [
      'a line deleted',
      () => run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position = 4"),
      /events from 4 to 4 are missing/,
    ],
    [
      'the first lines deleted',
      () => run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position < 7"),
      /from 1 to 6 are missing/,
    ],
    [
      'the tail cut',
      () => run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position > 7"),
      /from 8 to 10 are missing/,
    ],
    ['every line deleted', () => run("DELETE FROM audit_event WHERE tenant_id = 'acme'"), /from 1 to 10 are missing/],
    [
      'every line and the head deleted',
      () =>
        run("DELETE FROM audit_event WHERE tenant_id = 'acme'").then(() =>
          run("DELETE FROM audit_head WHERE tenant_id = 'acme'"),
        ),
      /its head is missing/,
    ],
    [
      'a whole trail and every head of it deleted',
      () => wipe('acme'),
      /the installation’s trail: the trail of "acme", which began at .*Z, is gone/,
    ],
    [
      'a whole trail and every head of it deleted, and a new one begun',
      async () => {
        await wipe('acme')
        await write(2)
      },
      /the trail of "acme": it began at .*Z and again at .*Z: what was between is gone/,
    ],
    [
      'the installation’s trail and every head of it deleted, and a new one begun',
      async () => {
        await wipe('')
        await writeAudit(database, { ...SAMPLE_EVENT, tenantId: null })
        await chain.linkAll()
      },
      /the trail of "acme": the installation’s trail does not say when it began/,
    ],
    ['the head deleted', () => run("DELETE FROM audit_head WHERE tenant_id = 'acme'"), /its head is missing/],
    [
      'a line changed',
      () => run("UPDATE audit_event SET outcome = '403' WHERE tenant_id = 'acme' AND link_position = 4"),
      /event 4 was changed/,
    ],
    [
      'a name changed',
      () => run("UPDATE audit_event SET actor_name = 'Eve' WHERE tenant_id = 'acme' AND link_position = 10"),
      /event 10 was changed/,
    ],
    [
      'a date forged',
      () => run("UPDATE audit_event SET created_at_ms = 1 WHERE tenant_id = 'acme' AND link_position = 1"),
      /event 1 was changed/,
    ],
    [
      'a date that is none',
      () =>
        run("UPDATE audit_event SET created_at_ms = 9000000000000000 WHERE tenant_id = 'acme' AND link_position = 1"),
      /event 1 was changed/,
    ],
    [
      'a change that is no JSON',
      () => run("UPDATE audit_event SET change_json = '{' WHERE tenant_id = 'acme' AND link_position = 1"),
      /event 1 was changed/,
    ],
    [
      'a line moved to another lender',
      () => run("UPDATE audit_event SET tenant_id = 'globex' WHERE tenant_id = 'acme' AND link_position = 10"),
      /events from 10 to 10 are missing; .*"globex": its head is missing/,
    ],
    [
      'a line unlinked',
      () => run("UPDATE audit_event SET link_position = NULL WHERE tenant_id = 'acme' AND link_position = 4"),
      /from 4 to 4 are missing/,
    ],
    [
      'the tail cut and the head moved back',
      async () => {
        await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position > 7")
        await run(`UPDATE audit_head SET position = 7, hash = ${HASH_OF(7)} WHERE tenant_id = 'acme'`)
      },
      /its head is not as it was signed/,
    ],
    [
      'an older head put back',
      async () => {
        const kept = await database.first<{ jws: string }>("SELECT jws FROM audit_kept_head WHERE tenant_id = 'acme'")
        await database.run(
          `UPDATE audit_head SET position = 5, hash = ${HASH_OF(5)}, jws = ? WHERE tenant_id = 'acme'`,
          kept?.jws ?? '',
        )
      },
      /event \d+ does not belong to it/,
    ],
    [
      'a line of today taken out and the rest chained again',
      async () => {
        await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position = 8")
        await chainAgain()
      },
      /its head is not as it was signed/,
    ],
    [
      '421 of 426: all but the last deleted, a deletion recorded, a date forged',
      async () => {
        await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position <= 8")
        await run(
          `UPDATE audit_event SET created_at_ms = created_at_ms - ${MONTH} WHERE tenant_id = 'acme' AND link_position = 9`,
        )
        await chainAgain({ position: 8, hash: 'a'.repeat(64) })
      },
      /its head is not as it was signed/,
    ],
    [
      'a line put where the beginning was deleted',
      async () => {
        await chain.forget(NOW_MS - DAY_MS + 1)
        await writeAudit(database, SAMPLE_EVENT)
        await run(
          "UPDATE audit_event SET link_position = 1, link_hash = 'x' WHERE tenant_id = 'acme' AND link_position IS NULL",
        )
      },
      /event 1 does not belong to it/,
    ],
    [
      'a line put behind the end',
      async () => {
        await writeAudit(database, SAMPLE_EVENT)
        await run(
          "UPDATE audit_event SET link_position = 11, link_hash = 'x' WHERE tenant_id = 'acme' AND link_position IS NULL",
        )
      },
      /event 11 does not belong to it/,
    ],
    [
      'a kept head replaced',
      () => run("UPDATE audit_kept_head SET hash = 'x' WHERE tenant_id = 'acme'"),
      /its head of \d{4}-\d\d-\d\d is not as it was signed/,
    ],
    [
      'a kept head that is no JWS',
      () => run("UPDATE audit_kept_head SET jws = 'x' WHERE tenant_id = 'acme'"),
      /its head of .* is not as it was signed/,
    ],
    [
      'a kept head of another lender',
      async () => {
        const jws = await signHead(chain.keys, { ...(await signed()), tenantId: 'globex' })
        await database.run("UPDATE audit_kept_head SET jws = ? WHERE tenant_id = 'acme'", jws)
      },
      /its head of .* is not as it was signed/,
    ],
  ])('%s: found', async (_name, attack, problem) => {
    await attack()
    expect((await chain.problems()).join('; ')).toMatch(problem)
  })

  const signed = async () => {
    const read = await readHead(chain.keys, (await head()).jws)
    if (read === null) throw new Error('no head')
    return read
  }

  test('heads of a key that the installation does not have are no heads', async () => {
    const keys = await openSigningKeys({
      database: await openTestDatabase(await place()),
      wrappingKeys: [new Uint8Array(32).fill(8)],
      clock: Date.now,
    })
    await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position > 7")
    const { hash } = (await database.first<{ hash: string }>(`SELECT ${HASH_OF(7)} AS hash`)) ?? { hash: '' }
    const jws = await signHead(keys, { ...(await signed()), position: 7, hash })
    await database.run("UPDATE audit_head SET position = 7, hash = ?, jws = ? WHERE tenant_id = 'acme'", hash, jws)
    expect(await chain.problems()).toEqual(['the trail of "acme": its head is not as it was signed'])
  })

  test('the sweep signs nothing over a head that is not ours, and the daily check says so', async () => {
    await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position = 8")
    await chainAgain()
    const { jws } = await head()
    await write(3)
    chain.time.nowMs += DAY_MS
    // The installation’s alone.
    expect(await chain.publish()).toBe(1)
    expect(await chain.forget(NOW_MS - DAY_MS + 1)).toBe(1)
    expect(await head()).toMatchObject({ jws, position: 12 })
    await chain.check()
    expect((await readVerified(database, 'acme'))?.problem).toBe('its head is not as it was signed')
  })

  test('who has the signing key as well is found by the head that was kept in the table', async () => {
    await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position = 2")
    await chainAgain()
    const { position, hash } = await head()
    await database.run(
      "UPDATE audit_head SET jws = ? WHERE tenant_id = 'acme'",
      await signHead(chain.keys, { ...(await signed()), position, hash }),
    )
    expect(await chain.problems()).toEqual([
      `the trail of "acme": its head of ${dayOf(NOW_MS - DAY_MS)} is another event 5`,
    ])
  })

  test('who cuts the tail off as well is found by the head that was kept in the table', async () => {
    await run("DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position > 3")
    await chainAgain()
    const { position, hash } = await head()
    await database.run(
      "UPDATE audit_head SET jws = ? WHERE tenant_id = 'acme'",
      await signHead(chain.keys, { ...(await signed()), position, hash }),
    )
    const cut = `its head of ${dayOf(NOW_MS - DAY_MS)} is event 5: it ends at 3 now, so events were cut off`
    expect(await chain.problems()).toEqual([`the trail of "acme": ${cut}`])
  })

  test('who has everything is found by the head that the lender kept', async () => {
    const [{ jws = '' } = {}] = await database.all<{ jws: string }>(
      "SELECT jws FROM audit_kept_head WHERE tenant_id = 'acme'",
    )
    expect(await compareHead(database, chain.keys, jws)).toBeNull()
    for (const [from, problem] of [
      [2, 'the trail of "acme" has another event 5'],
      [4, 'it is event 5 of the trail of "acme": it ends at 4 now, so events were cut off'],
    ] as const) {
      await run(
        from === 2
          ? 'DELETE FROM audit_event WHERE link_position = 2'
          : "DELETE FROM audit_event WHERE tenant_id = 'acme' AND link_position > 4",
      )
      await run("DELETE FROM audit_kept_head WHERE tenant_id = 'acme'")
      await chainAgain()
      const { position, hash } = await head()
      await database.run(
        "UPDATE audit_head SET jws = ? WHERE tenant_id = 'acme'",
        await signHead(chain.keys, { ...(await signed()), position, hash }),
      )
      expect(await chain.problems()).toEqual([])
      expect(await compareHead(database, chain.keys, jws)).toBe(problem)
    }
    for (const table of ['audit_head', 'audit_event']) await run(`DELETE FROM ${table}`)
    expect(await compareHead(database, chain.keys, jws)).toBe('the trail of "acme" is gone')
    expect(await compareHead(database, chain.keys, `${jws}x`)).toBe('no key of this installation signed it')
  })

  test('the rules that keep lines and heads are missed', async () => {
    expect(await findWrongTrigger(database, ALL_TABLES)).toMatch(/the trigger "audit_event_\w+" is missing or disabled/)
    const whole = await openTestDatabase(await place())
    const theirs = await openChain(whole)
    await writeAudit(whole, SAMPLE_EVENT)
    await theirs.link()
    await theirs.publish()
    expect(await findWrongTrigger(whole, ALL_TABLES)).toBeNull()
    for (const sql of [
      "UPDATE audit_event SET outcome = '403' WHERE tenant_id = 'acme'",
      "UPDATE audit_event SET link_position = NULL WHERE tenant_id = 'acme'",
      "DELETE FROM audit_event WHERE tenant_id = 'acme'",
      "UPDATE audit_kept_head SET hash = 'x' WHERE tenant_id = 'acme'",
      "DELETE FROM audit_kept_head WHERE tenant_id = 'acme'",
    ])
      await expect(whole.run(sql)).rejects.toThrow()
    expect(await theirs.problems()).toEqual([])
    await whole.close()
  })
})

const dayOf = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
