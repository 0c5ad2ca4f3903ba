// Test support: what is changed and the line of the audit trail that says so are one transaction. Where the line cannot
// be written, nothing is changed.
import { expect } from 'vitest'
import type { Row } from '../service/store/database.ts'
import type { TestService } from './portal-service.ts'

/** The tables that every try may write: counts, the trail itself, and the forms sent. */
const BOOKKEEPING = ['audit_event', 'console_press', 'guess', 'sign_in_attempt']

const TABLES = {
  sqlite: `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  postgres: `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY name`,
}

const BREAK = {
  sqlite: [
    `CREATE TRIGGER broken BEFORE INSERT ON audit_event BEGIN SELECT RAISE(ABORT, 'broken on purpose'); END`,
    'DROP TRIGGER broken',
  ],
  postgres: [
    'ALTER TABLE audit_event ADD CONSTRAINT broken CHECK (false) NOT VALID',
    'ALTER TABLE audit_event DROP CONSTRAINT broken',
  ],
} as const

/** `changes`: by the name of what is done, from what to what its line says; what is made or ended has no such pair. */
export function watchActs(service: TestService, changes: { [name: string]: object } = {}) {
  const { engine } = service.database
  async function everything(): Promise<{ [table: string]: Row[] }> {
    const dump: { [table: string]: Row[] } = {}
    const tables = await service.database.all<{ name: string }>(TABLES[engine])
    for (const { name: table } of tables.filter(({ name }) => !BOOKKEEPING.includes(name))) {
      const rows = await service.database.all(`SELECT * FROM ${table}`)
      // The step of a code that was typed is spent whatever comes of it, and a session was used.
      dump[table] = rows.map(({ totp_last_step: _spent, seen_at_ms: _used, ...row }) => row)
    }
    return dump
  }

  const lastLine = () =>
    service.database.first<{ change_json: string | null }>(
      'SELECT action, object, outcome, change_json FROM audit_event ORDER BY sequence DESC LIMIT 1',
    )

  async function expectChange(name: string): Promise<void> {
    const change = JSON.parse((await lastLine())?.change_json ?? 'null')
    if (changes[name] === undefined) expect(change).toBeNull()
    else expect(change).toMatchObject({ from: expect.toSatisfy((from) => from !== undefined), ...changes[name] })
  }

  /** While it runs, no line can be written to the audit trail. */
  async function unwritten<T>(attempt: () => Promise<T> | T): Promise<T> {
    const [breakIt, restore] = BREAK[engine]
    await service.database.run(breakIt)
    return Promise.resolve(attempt()).finally(() => service.database.run(restore))
  }

  /** Does it once while nothing can be written down, then again; resolves to what either time answered. */
  async function withAndWithout<T>(
    attempt: () => Promise<T>,
    { isRead = false } = {},
  ): Promise<{ broken: T; whole: T }> {
    const before = await everything()
    const broken = await unwritten(attempt)
    expect(await everything()).toEqual(before)
    service.time.nowMs += 31_000
    const whole = await attempt()
    if (!isRead) expect(await everything()).not.toEqual(before)
    return { broken, whole }
  }

  return { everything, lastLine, expectChange, unwritten, withAndWithout }
}
