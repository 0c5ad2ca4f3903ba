// PostgreSQL with two roles: one owns the tables, the other serves and can change no rule of theirs.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runTestAdmin } from '../../testing/admin.ts'
import { findPostgres } from '../../testing/postgres-binaries.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { writeAudit } from '../audit/store.ts'

const folder = mkdtempSync(join(tmpdir(), 'roles-'))
const DAY_MS = 86_400_000
let postgres: ThrowawayPostgres
let serving: string
let owning: string
let app: TestApp

const as = (role: string, url: string) => url.replace('//postgres@', `//${role}@`)
const admin = (words: string[], both = false) => {
  const environment = { DATA_DIR: folder, SECRET_KEY: TEST_SECRET_KEY, DATABASE_URL: serving }
  return runTestAdmin(both ? { ...environment, DATABASE_MIGRATION_URL: owning } : environment, words)
}

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** An empty database that the owning role owns. */
async function createDatabase(): Promise<string> {
  const url = await postgres.createDatabase()
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO keeper`)
  return url
}

beforeAll(async () => {
  postgres = await startThrowawayPostgres()
  await query(await postgres.createDatabase(), 'CREATE ROLE keeper LOGIN', 'CREATE ROLE server LOGIN')
  const url = await createDatabase()
  serving = as('server', url)
  owning = as('keeper', url)
})
afterAll(async () => {
  await app?.close()
  await postgres.stop()
  rmSync(folder, { recursive: true })
})

test('who only serves cannot make the tables, and reads who can', async () => {
  const { exitCode, complaints } = await admin(['migrate'])
  expect(exitCode).toBe(1)
  expect(complaints.join()).toContain('"admin -- migrate" has made with DATABASE_MIGRATION_URL (42501)')
})

test('the owner makes them, and everything then runs without it', async () => {
  expect(await admin(['migrate'], true)).toMatchObject({ exitCode: 0, printed: ['the tables are up to date'] })
  app = await createTestApp({ databaseUrl: serving })
  const old = { atMs: Date.now() - 500 * DAY_MS, tenantId: null, actorKind: 'unknown', actorId: null } as const
  const nameless = { actorName: null, actorEmail: null, object: null, change: null, address: null }
  await writeAudit(app.database, { ...old, ...nameless, action: 'old', outcome: '200' })
  const { body } = await app.generate(liveRequest())
  expect((await app.resend(body.data)).status).toBe(200)
  const code = (await app.codes(body.data.creditReportId)).at(-1)
  expect((await app.submit(body.data, code)).body.data.status).toBe('complete')
  await app.generate(liveRequest())
  app.time.nowMs += 400_000
  await app.sweeper.sweep()
  expect((await admin(['reconcile'])).exitCode).toBe(0)
  expect((await admin(['verify'])).exitCode).toBe(0)
  expect((await admin(['top-up', 'demo-lender', '5', '--reference', 'x'])).exitCode).toBe(0)
  // The sweep has linked it, and deleted it after its time.
  expect(await app.database.all(`SELECT 1 AS one FROM audit_event WHERE action = 'old'`)).toEqual([])
  const head = await app.database.first(`SELECT deleted_position FROM audit_head WHERE tenant_id = ''`)
  expect(head).toEqual({ deleted_position: 1 })
})

test('a second migration by the owner finds nothing to do and takes nothing away', async () => {
  expect((await admin(['migrate'], true)).exitCode).toBe(0)
  expect((await app.generate(liveRequest('Allow'))).status).toBe(200)
})

const ATTACKS = [
  'ALTER TABLE wallet_line DISABLE TRIGGER ALL',
  'ALTER TABLE audit_event DISABLE TRIGGER USER',
  'DROP TRIGGER wallet_line_keeps ON wallet_line',
  'DROP TABLE audit_event',
  'DROP TABLE wallet_line CASCADE',
  'TRUNCATE wallet_line CASCADE',
  'TRUNCATE audit_event',
  'UPDATE wallet_line SET credits = 0',
  'DELETE FROM wallet_line',
  `UPDATE audit_event SET outcome = 'done'`,
  'DELETE FROM audit_event',
  `UPDATE audit_kept_head SET hash = ''`,
  'DELETE FROM migration',
  'ALTER TABLE wallet DROP CONSTRAINT wallet_balance_not_negative',
  'CREATE OR REPLACE FUNCTION wallet_line_keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
  'SET session_replication_role = replica',
  'SET ROLE keeper',
  'CREATE TABLE mine (id TEXT)',
]

describe('who only serves cannot', () => {
  test.each(ATTACKS)('%s', async (attack) => {
    await expect(query(serving, attack)).rejects.toThrow(/permission denied|must be owner|never changed or deleted/)
  })

  test('while the owner could, or there would be nothing to show', async () => {
    await query(
      owning,
      'BEGIN',
      'ALTER TABLE wallet_line DISABLE TRIGGER USER',
      'UPDATE wallet_line SET credits = 0',
      'ROLLBACK',
    )
  })
})

test('erasing needs the owner, who alone can overwrite what was deleted, and says so', async () => {
  const [one, two] = [await app.generate(liveRequest('Allow')), await app.generate(liveRequest('Allow'))]
  const refused = await admin(['erase', one.body.data.creditReportId])
  expect(refused.exitCode).toBe(1)
  expect(refused.complaints.join()).toContain('DATABASE_MIGRATION_URL is needed')
  expect((await admin(['erase', two.body.data.creditReportId], true)).exitCode).toBe(0)
})

test('a dump by who serves is restored by the owner, granted again and verified', async () => {
  const file = join(folder, 'dump')
  // As a running service does every few seconds: the clock of this one is ahead of the operator's.
  await app.sweeper.sweep()
  const tool = (name: string, ...args: string[]) => execFileSync(join(findPostgres(), name), args)
  tool('pg_dump', '--format=custom', `--file=${file}`, serving)
  const url = await createDatabase()
  serving = as('server', url)
  owning = as('keeper', url)
  tool('pg_restore', '--exit-on-error', '--no-owner', '--no-acl', `--dbname=${owning}`, file)
  expect((await admin(['migrate'], true)).exitCode).toBe(0)
  expect(await admin(['verify'])).toMatchObject({ exitCode: 0, complaints: [] })
  expect((await admin(['backed-up'])).exitCode).toBe(0)
  await expect(query(serving, 'DELETE FROM wallet_line')).rejects.toThrow('permission denied')
})

test('an installation of one role is changed over', async () => {
  const url = await postgres.createDatabase()
  await query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} OWNER TO server`)
  serving = as('server', url)
  owning = as('keeper', url)
  await admin(['migrate'])
  await query(serving, 'BEGIN', 'ALTER TABLE wallet_line DISABLE TRIGGER USER', 'ROLLBACK')
  await query(url, 'REASSIGN OWNED BY server TO keeper')
  expect((await admin(['migrate'], true)).exitCode).toBe(0)
  expect((await admin(['tenant', 'create', 'acme', '--name', 'Acme'])).exitCode).toBe(0)
  await expect(query(serving, 'ALTER TABLE wallet_line DISABLE TRIGGER USER')).rejects.toThrow('must be owner')
})
