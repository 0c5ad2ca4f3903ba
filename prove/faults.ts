// Every fault of the catalogue, F-01 to F-18, each with what must hold. One that breaks does not stop the rest.
import { clockFaults } from './faults/clock-faults.ts'
import { connectionFaults } from './faults/connection-faults.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { providerFaults } from './faults/provider-faults.ts'
import { restartFaults } from './faults/restart-faults.ts'

export const FAULTS = [...databaseFaults, ...providerFaults, ...clockFaults, ...restartFaults, ...connectionFaults]

export const about = {
  title: 'Fault catalogue',
  text: 'Each fault has its own assertions, such as one charge per key, no extra text and balanced books. When the database fails, errors come within two seconds and recovery within five. For F-11 to F-13 no alert fires (needs promtool).',
}

export async function run({ scale }: { scale: number }) {
  const counts: { [fault: string]: number } = {}
  const broken: string[] = []
  for (const { id, what, run: runFault } of FAULTS) {
    try {
      counts[`${id} ${what}`] = await runFault(scale)
    } catch (error) {
      counts[`${id} ${what}`] = 0
      broken.push(`${id}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return broken.length === 0 ? { ok: true, counts } : { ok: false, why: broken.join('; '), counts }
}
