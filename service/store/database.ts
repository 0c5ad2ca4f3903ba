// The database interface of the service. Two engines implement it: SQLite and PostgreSQL.

/**
 * The values of a column: TEXT, INTEGER (64-bit, read back as a number), BLOB or NULL. Booleans are 0 and 1, times are
 * milliseconds.
 */
export type SqlValue = string | number | Uint8Array | null

export type Row = { [column: string]: SqlValue }

/** Runs statements of the dialect both engines share; `?` marks each parameter. */
export interface Queries {
  /** Every row the statement returns (a SELECT, or a write with RETURNING). */
  all<R extends Row = Row>(sql: string, ...values: SqlValue[]): Promise<R[]>
  /** The first row, or null. */
  first<R extends Row = Row>(sql: string, ...values: SqlValue[]): Promise<R | null>
  /** The number of rows that the write changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>
  /**
   * The first row of a write that must change one, or of a SELECT that must find one; empty without RETURNING. Else it
   * ends the transaction.
   */
  must(unless: Unless, sql: string, ...values: SqlValue[]): Promise<Row>
}

/** The error to throw if no row matches. */
export type Unless = {
  error(): Error
  /** A rule of the schema whose breach means the same. */
  constraint?: string
}

/** Runs transactions: the database, or an acting that also records each of them (http/acting.ts). */
export interface Transactions {
  /**
   * Everything `work` writes becomes durable together or not at all, and is on disk when this resolves.
   * `work` touches nothing but its queries: it may be run again after a serialisation conflict, and no
   * provider call may be awaited inside it. `said` is what the audit trail adds, where there is one: the id of what it
   * is done to, or that and what it changes, read after `work`.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>, said?: string | (() => AuditDetail)): Promise<T>
}

/** A transaction's line in the audit trail, besides who and when. */
export type AuditDetail = {
  object?: string | undefined
  /** Its name, for readers of the trail; nothing about consumers. */
  objectName?: string | undefined
  change?: Change | undefined
  /** The lenders whose trail it belongs to, where the caller did not name one. */
  tenantIds?: readonly string[] | undefined
}

/** A setting before and after. Nothing secret, nothing about consumers. */
export type Change = { from: ChangedValue; to: ChangedValue }
type ChangedValue = string | number | boolean | null | { readonly [name: string]: string | number | boolean | null }

export interface Database extends Queries, Transactions {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * The same in one round trip, for work that asks for everything at once: no statement may wait for another's answer,
   * and whatever has to go back must be a `must`. What one lender's requests ask for at the same moment shares a
   * commit, and lenders take turns. `work` may be run again.
   */
  batch<T>(tenantId: string, work: (queries: Queries) => Promise<T>): Promise<T>
  /** Reads that all see the same moment. Blocks no writer and sees none of what is written meanwhile. */
  snapshot<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** After something had to be forgotten: overwrites what the engine still keeps of the table's deleted rows. */
  scrub(table: string): Promise<void>
  /** Finds out whether a write would succeed now. Asked beside all traffic, never behind it; never rejects. */
  probe(): Promise<Probe>
  load(): DatabaseLoad
  close(): Promise<void>
}

export type Probe = {
  /** Why nothing can be written now, as a code; null when it can. */
  refusal: string | null
  /** The time of the database's own clock; null where it has none. */
  clockMs: number | null
}

/** Connections (SQLite: the one writer) in use, and callers who wait for one. */
type DatabaseLoad = { inUse: number; waiting: number }

/**
 * The database cannot serve now: it is down, out of reach, full or overloaded. Nothing of the work is certain to have
 * happened.
 */
export class DatabaseUnavailable extends Error {
  readonly code: string
  constructor(code: string, options?: ErrorOptions) {
    super(`the database is unavailable (${code})`, options)
    this.name = 'DatabaseUnavailable'
    this.code = code
  }
}

/** Only who owns a table can have its deleted rows overwritten. */
export class NotOwner extends Error {
  constructor() {
    super('DATABASE_URL: its user does not own the tables, so DATABASE_MIGRATION_URL is needed for this')
    this.name = 'NotOwner'
  }
}

/** Rows cannot be moved to this database; the message says why. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}

/** A statement was refused by a rule of the schema. */
export class ConstraintViolation extends Error {
  /** The rule's name where it has one, else what it is about. */
  readonly constraint: string
  constructor(constraint: string, options?: ErrorOptions) {
    super(`the database refused it: ${constraint}`, options)
    this.name = 'ConstraintViolation'
    this.constraint = constraint
  }
}

export function isBreachOf(error: unknown, constraint: string | undefined): boolean {
  return constraint !== undefined && error instanceof ConstraintViolation && error.constraint.includes(constraint)
}

/** True for a statement that returns rows. */
export const RETURNS = /^\s*SELECT\b|\bRETURNING\b/

/** For a batch, which issues its statements at once: awaits all of them, and resolves to the answer of the last. */
export async function allThen<T>(before: readonly Promise<unknown>[], last: Promise<T>): Promise<T> {
  const [value] = await Promise.all([last, ...before])
  return value
}
