// Several statements as one message, one transaction and one round trip. PostgreSQL runs what stands before a Sync as a
// transaction: it commits there, and after an error it skips the rest and undoes all of it.
import type pg from 'pg'
import type { Row, SqlValue } from './database.ts'

export type Step = { name?: string; text: string; values: readonly SqlValue[] }
export type StepResult = { rows: Row[]; count: number }

/** A step failed, and with it all of them. */
export class StepFailed extends Error {
  /** Which one; past the last when it was the commit. */
  readonly index: number
  constructor(index: number, cause: unknown) {
    super('a step failed', { cause })
    this.name = 'StepFailed'
    this.index = index
  }
}

type Field = { name: string; parse(value: string): SqlValue }
type RowDescription = { fields: { name: string; dataTypeID: number }[] }

/** What each connection knows: the columns of the statements that are prepared on it. */
const prepared = new WeakMap<pg.Connection, Map<string, Field[]>>()

export function sendTogether(
  client: pg.ClientBase,
  steps: readonly Step[],
  types: pg.CustomTypesConfig,
): Promise<StepResult[]> {
  return new Promise((resolve, reject) => {
    const results: StepResult[] = []
    let known = new Map<string, Field[]>()
    let fields: Field[] = []
    let rows: Row[] = []

    client.query({
      // The driver's name for it; it wraps it with its time-out.
      callback(error: unknown) {
        if (error) reject(new StepFailed(results.length, error))
        else resolve(results)
      },
      submit(connection: pg.Connection) {
        known = prepared.get(connection) ?? new Map()
        prepared.set(connection, known)
        const sent = new Set(known.keys())
        connection.stream.cork()
        for (const { name = '', text, values } of steps) {
          const isKnown = sent.has(name)
          if (!isKnown) {
            if (name !== '') sent.add(name)
            // An earlier try may have prepared it and failed later: closing what is not there is no error.
            if (name !== '') connection.close({ type: 'S', name }, true)
            connection.parse({ name, text, types: [] }, true)
          }
          connection.bind({ portal: '', statement: name, values: values.map(toWire) }, true)
          if (!isKnown) connection.describe({ type: 'P', name: '' }, true)
          connection.execute(null, true)
        }
        connection.sync()
        connection.stream.uncork()
        return null
      },
      handleRowDescription({ fields: described }: RowDescription) {
        fields = described.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID, 'text') }))
      },
      handleDataRow({ fields: values }: { fields: (string | null)[] }) {
        const columns = known.get(steps[results.length]?.name ?? '') ?? fields
        const row: Row = {}
        for (const [index, { name, parse }] of columns.entries()) {
          const value = values[index]
          row[name] = value === null || value === undefined ? null : parse(value)
        }
        rows.push(row)
      },
      handleCommandComplete({ text }: { text: string }) {
        const name = steps[results.length]?.name
        if (name !== undefined && !known.has(name)) known.set(name, fields)
        results.push({ rows, count: Number(text.split(' ').at(-1)) || 0 })
        rows = []
        fields = []
      },
      handleError(error: unknown) {
        this.callback(error)
      },
      handleReadyForQuery() {
        this.callback(null)
      },
    })
  })
}

function toWire(value: SqlValue): string | Buffer | null {
  if (typeof value === 'number') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}
