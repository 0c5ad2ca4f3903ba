// The triggers that keep ledger and audit trail append-only, as the migrations make them, beside those that a database
// has.
import type { Database } from './database.ts'
import { dialectOf, type Migration, statementsOf } from './migration.ts'

/** The first trigger that is missing, disabled or not as its migration made it, in words; null: none. */
export async function findWrongTrigger(database: Database, migrations: readonly Migration[]): Promise<string | null> {
  const applied = new Set((await database.all<{ name: string }>('SELECT name FROM migration')).map(({ name }) => name))
  const statements = migrations
    .filter(({ name }) => applied.has(name))
    .flatMap((migration) => statementsOf(migration, dialectOf(database)))
  const found = new Map<string, string>()
  for (const { name, text } of await database.all<Found>(FOUND[database.engine])) found.set(name, text)
  for (const [name, text] of expectedOf(statements)) {
    const other = found.get(name)
    if (other === undefined) return `the trigger "${name}" is missing or disabled`
    if (database.engine === 'sqlite' && plain(other) !== plain(text)) return `the trigger "${name}" was changed`
    if (database.engine === 'postgres' && plain(other) !== plain(bodyOf(statements, text))) {
      return `the function of the trigger "${name}" was changed`
    }
  }
  return null
}

type Found = { name: string; text: string }

/** `text`: the whole trigger on SQLite, the body of its function on PostgreSQL. */
const FOUND = {
  sqlite: `SELECT name, sql AS text FROM sqlite_master WHERE type = 'trigger'`,
  // `O`: enabled, and not for replication only.
  postgres: `
    SELECT tgname AS name, prosrc AS text FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
      JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND tgenabled = 'O' AND relnamespace = current_schema()::regnamespace`,
}

/** By name, each as the last statement leaves it. */
function expectedOf(statements: readonly string[]): Map<string, string> {
  const expected = new Map<string, string>()
  for (const statement of statements) {
    const [, made] = /^\s*CREATE TRIGGER (\w+)/.exec(statement) ?? []
    const [, dropped] = /^\s*DROP TRIGGER (\w+)/.exec(statement) ?? []
    if (made !== undefined) expected.set(made, statement)
    if (dropped !== undefined) expected.delete(dropped)
  }
  return expected
}

/** The body, as the last statement leaves it, of the function that a trigger executes. */
function bodyOf(statements: readonly string[], trigger: string): string {
  const [, name] = /EXECUTE FUNCTION (\w+)/.exec(trigger) ?? []
  const made = statements.findLast((statement) => statement.includes(` FUNCTION ${name}() RETURNS trigger`))
  return made?.split('$$')[1] ?? ''
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
