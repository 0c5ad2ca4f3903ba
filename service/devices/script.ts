// The bytes of the fingerprint script, ready to send: read once, compressed once, named by their hash.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Clock } from '../../kit/clock.ts'
import { ConfigError } from '../../kit/setting-reader.ts'
import { type PreparedText, prepareText } from '../http/prepared-text.ts'
import type { Database } from '../store/database.ts'

/** `hash` is the part of a pinned address after the `@`. */
export type Script = PreparedText & { source: string }

export const SCRIPT_PATH = '/v1/fingerprints/device'

/** The built script, with the address it is served from: it asks there when it cannot see its own tag. */
export function loadScript(publicUrl: string, source = readBuiltScript()): Script {
  return prepareScript(source.replace('%SERVED_AS%', `${publicUrl}${SCRIPT_PATH}`))
}

export function prepareScript(source: string): Script {
  return { source, ...prepareText(source) }
}

function readBuiltScript(): string {
  try {
    return readFileSync(createRequire(import.meta.url).resolve('credit-report-service/device.js'), 'utf8')
  } catch {
    throw new ConfigError('the fingerprint script has not been built: run "npm run build" first')
  }
}

// Lenders pin the script by its hash, so every version that was ever served stays available: in the database, because
// the next release of the service brings only its own.

/** Versions kept ready to send; the database has the rest. */
const READY_MAX = 20

type ScriptArchiveOptions = { database: Database; clock: Clock; current: Script }

export function createScriptArchive({ database, clock, current }: ScriptArchiveOptions) {
  const ready = new Map([[current.hash, current]])
  let isKept = false
  return {
    /** Makes sure the current version will be found after the next release. */
    async keep(): Promise<void> {
      if (isKept) return
      // Set before it is written, so that one of many requests at once writes it. After a failure the next request
      // tries again.
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

    async find(hash: string): Promise<Script | null> {
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
