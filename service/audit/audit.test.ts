import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-database.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import type { Database } from '../store/database.ts'
import { type AuditEvent, listAudit, writeAudit } from './store.ts'

const event: AuditEvent = {
  atMs: 1,
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
  }, 60_000)
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

  test.each([`UPDATE audit_event SET outcome = '403'`, 'DELETE FROM audit_event'])('refuses %s', async (sql) => {
    await writeAudit(database, event)
    await expect(database.run(sql)).rejects.toThrow()
    expect((await listAudit(database, { tenantId: 'acme', limit: 1 }))[0]).toEqual(event)
  })
})
