// Pins processes to processor cores, where the system allows it: processes that wander find their caches cold, and a
// measurement of microseconds then measures that.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** The command that starts a program on this core; on any core where that cannot be said. */
export function commandOn(core: number, program = process.execPath): [string, ...string[]] {
  return canPin ? ['taskset', '--cpu-list', String(core), program] : [program]
}

/** Does `work` with this process on one core, and lets it go again. */
export async function keptOn<Value>(core: number, work: () => Promise<Value>): Promise<Value> {
  if (!canPin) return work()
  const own = String(process.pid)
  const before = spawnSync('taskset', ['--cpu-list', '--pid', own], { encoding: 'utf8' }).stdout.split(': ')[1]?.trim()
  spawnSync('taskset', ['--cpu-list', '--pid', String(core), own])
  try {
    return await work()
  } finally {
    if (before) spawnSync('taskset', ['--cpu-list', '--pid', before, own])
  }
}
