import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-database.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import type { Database } from '../store/database.ts'
import { type AuditEvent, forgetOldAudit, listAudit, writeAudit } from './store.ts'

const DAY_MS = 86_400_000

const event: AuditEvent = {
  atMs: Date.now(),
  tenantId: 'acme',
  actorKind: 'person',
  actorId: 'u1',
  action: 'client.create',
  object: 'acme-1',
  address: '203.0.113.7',
  outcome: '200',
}

describe.each(['sqlite', 'postgres'])('the audit trail on %s', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'))
  let postgres: ThrowawayPostgres | undefined
  let database: Database
  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startThrowawayPostgres()
    database = await openTestDatabase({ databaseUrl: (await postgres?.createDatabase()) ?? null, dataDir: folder })
  })
  afterAll(async () => {
    await database.close()
    await postgres?.stop()
    rmSync(folder, { recursive: true })
  })

  test('keeps what was written, newest first, each lender its own', async () => {
    const signIn = { ...event, tenantId: null, action: 'sign-in', object: null }
    const elsewhere = { ...event, tenantId: 'globex' }
    for (const each of [event, signIn, elsewhere]) await writeAudit(database, each)
    expect(await listAudit(database, { tenantId: null, limit: 10 })).toEqual([elsewhere, signIn, event])
    expect(await listAudit(database, { tenantId: 'acme', limit: 10 })).toEqual([event])
    expect(await listAudit(database, { tenantId: 'acme', actorIds: ['u1'], limit: 10 })).toEqual([signIn, event])
  })

  test('is kept for its time, and what is younger than 30 days whatever anybody asks', async () => {
    const old = { ...event, tenantId: 'old', atMs: event.atMs - 401 * DAY_MS }
    await writeAudit(database, old)
    // It was written after the others, so it is not among the oldest alone.
    expect(await forgetOldAudit(database, event.atMs - 400 * DAY_MS)).toBe(1)
    expect(await listAudit(database, { tenantId: 'old', limit: 10 })).toEqual([])
    await writeAudit(database, { ...event, tenantId: 'young', atMs: event.atMs - 29 * DAY_MS })
    await expect(forgetOldAudit(database, event.atMs)).rejects.toThrow()
    expect(await listAudit(database, { tenantId: 'young', limit: 10 })).toHaveLength(1)
  })

  test.each([`UPDATE audit_event SET outcome = '403'`, 'DELETE FROM audit_event'])('refuses %s', async (sql) => {
    await writeAudit(database, event)
    await expect(database.run(sql)).rejects.toThrow()
    expect((await listAudit(database, { tenantId: 'acme', limit: 1 }))[0]).toEqual(event)
  })
})
