// Several statements as one transaction and one round trip: the driver's pipeline sends them without waiting for
// answers. After an error PostgreSQL refuses the rest, and the COMMIT at the end rolls all of it back.
import pg from 'pg'
import type { Row, SqlValue } from '../../service/store/database.ts'

export type Step = { name?: string; text: string; values: readonly SqlValue[] }
export type StepResult = { rows: Row[]; count: number }

/** A step failed, and with it all of them. */
export class StepFailed extends Error {
  /** Its index; past the last when it was the commit. */
  readonly index: number
  constructor(index: number, cause: unknown) {
    super('a step failed', { cause })
    this.name = 'StepFailed'
    this.index = index
  }
}

/** `client` must be in pipeline mode and outside a transaction. */
export async function sendTogether(client: pg.Client, steps: readonly Step[]): Promise<StepResult[]> {
  // A single statement is a transaction by itself.
  if (steps.length === 1) return Promise.all(steps.map((step) => sendStep(client, step, 0)))
  const { begun, sent, committed } = inOneWrite(client, () => ({
    begun: client.query('BEGIN'),
    sent: steps.map((step, index) => sendStep(client, step, index)),
    committed: client.query('COMMIT'),
  }))
  // The connection is free for others only when every answer is there.
  await Promise.allSettled([begun, ...sent, committed])
  await begun.catch(failedAt(0))
  const results = await Promise.all(sent)
  await committed.catch(failedAt(steps.length))
  return results
}

/** The driver writes to the network once for each statement; together they leave as one. */
function inOneWrite<T>(client: pg.Client, send: () => T): T {
  const { stream } = client.connection
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

/** One statement on a connection whose transaction, if any, its caller looks after. */
export function sendStep(client: pg.ClientBase, { name, text, values }: Step, index = 0): Promise<StepResult> {
  return new Promise((resolve, reject) => {
    // A query made here: the driver copies an object with name and text field by field, which is a tenth of what a
    // report costs.
    const query = new pg.Query<Row>(text, [...values], (error, result) => {
      if (error) reject(new StepFailed(index, error))
      else resolve({ rows: result.rows, count: result.rowCount ?? 0 })
    })
    client.query(name ? Object.assign(query, { name }) : query)
  })
}

function failedAt(index: number) {
  return (cause: unknown): never => {
    throw new StepFailed(index, cause)
  }
}
