// PostgreSQL for the tests: the system's, or fetched before the first test needs it.
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './root.mjs'

/** Ends the process with one line when there is none and none can be had. */
export async function ensurePostgres() {
  const { module } = await runnerImport(join(root, 'testing/postgres-binaries.ts'))
  try {
    module.findPostgres()
  } catch (error) {
    console.error(`npm test: ${error.message}`)
    process.exit(1)
  }
}
