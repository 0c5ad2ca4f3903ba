// Test support: a service in a process of its own that serves one live report, does its housekeeping once and ends.
// Prints the report's id, or why it did not start.
import { failureLine } from '../service/explain-failure.ts'
import { createTestApp, liveRequest } from './test-app.ts'

export async function run(where: { dataDir?: string; databaseUrl?: string }): Promise<void> {
  try {
    const app = await createTestApp(where)
    const { body } = await app.generate(liveRequest('Allow'))
    await app.sweeper.sweep()
    await app.close()
    process.stdout.write(`served ${body.data.creditReportId}\n`)
  } catch (error) {
    process.stdout.write(`${failureLine('refused', error)}\n`)
  }
}
