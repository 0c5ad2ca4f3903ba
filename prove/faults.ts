// Every fault of the catalogue, F-01 to F-13, each with what must hold. One that breaks does not stop the rest.
import { clockFaults } from './faults/clock-faults.ts'
import { connectionFaults } from './faults/connection-faults.ts'
import { databaseFaults } from './faults/database-faults.ts'
import { providerFaults } from './faults/provider-faults.ts'
import { restartFaults } from './faults/restart-faults.ts'

export const FAULTS = [...databaseFaults, ...providerFaults, ...clockFaults, ...restartFaults, ...connectionFaults]

export const about = {
  title: 'Every fault of the catalogue',
  text: 'The database dies, hangs, fills up or moves; the SMS gateway and the bureaus are slow, down or lie; the clock is set; the service restarts in the middle of a challenge or meets a newer schema; connections break at random bytes. Each has its own list of what must hold: refusals in two seconds and recovery in five (from a tenth of the scale up, on a quiet machine), one charge per key, no text too many, books that balance; and where somebody has to act, the alert that wakes them fires on the metrics of that service; where nobody has to (F-11 to F-13), none does (where promtool is installed).',
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
