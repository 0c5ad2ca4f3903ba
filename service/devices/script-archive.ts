// Lenders pin the script by its hash, so every version that was ever served stays available: in the database, because the next
// release of the service brings only its own.
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { prepareScript, type Script } from './script.ts'

/** Versions kept ready to send; the database has the rest. */
const READY_MAX = 20

export interface ScriptArchive {
  /** Makes sure the current version will be found after the next release. */
  keep(): Promise<void>
  find(hash: string): Promise<Script | null>
}

export function createScriptArchive(parts: { database: Database; clock: Clock; current: Script }): ScriptArchive {
  const { database, clock, current } = parts
  const ready = new Map([[current.hash, current]])
  let isKept = false
  return {
    async keep() {
      if (isKept) return
      // Set first: one request of the many that come at once is enough. A failure is made good by the next.
      isKept = true
      try {
        await database.run(
          `INSERT INTO device_script (hash, source, first_served_at_ms) VALUES (?, ?, ?) ON CONFLICT (hash) DO NOTHING`,
          current.hash,
          current.source,
          clock(),
        )
      } catch (error) {
        isKept = false
        throw error
      }
    },

    async find(hash) {
      const found = ready.get(hash)
      if (found) return found
      const row = await database.first<{ source: string }>('SELECT source FROM device_script WHERE hash = ?', hash)
      if (row === null) return null
      const script = prepareScript(row.source)
      if (ready.size < READY_MAX) ready.set(hash, script)
      return script
    },
  }
}
