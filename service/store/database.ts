// What every query in the service is written against. Two engines implement it: SQLite and PostgreSQL.

/** What a column can hold: TEXT, INTEGER (64-bit, read back as a number), BLOB or NULL. Booleans are 0 and 1, times are milliseconds. */
export type SqlValue = string | number | Uint8Array | null

export type Row = { [column: string]: SqlValue }

/** Runs statements of the dialect both engines share; `?` marks each parameter. */
export interface Queries {
  /** Every row the statement returns (a SELECT, or a write with RETURNING). */
  all(sql: string, ...values: SqlValue[]): Promise<Row[]>
  /** The first row, or null. */
  first(sql: string, ...values: SqlValue[]): Promise<Row | null>
  /** How many rows the write changed. */
  run(sql: string, ...values: SqlValue[]): Promise<number>
}

export interface Database extends Queries {
  readonly engine: 'sqlite' | 'postgres'
  /**
   * Everything `work` writes becomes durable together or not at all, and is on disk when this resolves.
   * `work` touches nothing but its queries: it may be run again after a serialisation conflict, and no
   * provider call may be awaited inside it.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}
