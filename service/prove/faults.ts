// Every fault of the catalogue, F-01 to F-13, each with what must hold. One that breaks does not stop the rest.
import { clockFaults } from './faults/clock-faults.ts'
import { connectionFaults } from './faults/connection-faults.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { Breach } from './faults/must.ts'
import { providerFaults } from './faults/provider-faults.ts'
import { restartFaults } from './faults/restart-faults.ts'

export const FAULTS = [...databaseFaults, ...providerFaults, ...clockFaults, ...restartFaults, ...connectionFaults]

export async function run({ scale }: { scale: number }) {
  const counts: { [fault: string]: number } = {}
  let ok = true
  for (const { id, what, run: runFault } of FAULTS) {
    try {
      counts[`${id} ${what}`] = await runFault(scale)
    } catch (error) {
      if (!(error instanceof Breach)) throw error
      ok = false
      counts[`${id} ${what}`] = 0
      process.stderr.write(`prove: ${id} broke: ${error.message}\n`)
    }
  }
  return { ok, counts }
}
