// Write health, from the outcome of the last writes: a full disk or lost rights show nowhere else.
import { randomBytes } from 'node:crypto'
import { DatabaseUnavailable, type Queries } from './database.ts'

/** Two pages of a file, and nothing that could be compressed: the trial must need room, as a real write does. */
const TRIAL_BYTES = 8_192

/** Codes of overload and of lost connections say nothing about writing. */
const CANNOT_WRITE = /^(?:SQLITE_|53100|53200|58|XX|25006)/

export function createWriteHealth(trial: Pick<Queries, 'run'>) {
  let failure: string | null = null
  return {
    /** Passes a write on and remembers when the database could not keep it. */
    watch: <T>(write: Promise<T>): Promise<T> =>
      write.catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable && CANNOT_WRITE.test(error.code)) failure = error.code
        throw error
      }),
    /**
     * Why nothing can be written, null when it can. After a failed write it tries one itself: a process that is not
     * ready gets no traffic which could show that writing works again.
     */
    async refusal(): Promise<string | null> {
      if (failure === null) return null
      try {
        await trial.run('INSERT INTO write_trial (padding) VALUES (?)', randomBytes(TRIAL_BYTES))
        await trial.run('DELETE FROM write_trial')
        failure = null
      } catch (error) {
        failure = error instanceof DatabaseUnavailable ? error.code : 'write-trial'
      }
      return failure
    },
  }
}
