// The cost of plugins: live generates of the handler in this process, alone, with every plugin, and with every one but
// one. The handlers take turns, in another order each round.
import { createChosenApp } from '../testing/chosen-plugins.ts'
import { compare, median, shuffled } from './measure.ts'
import type { Row } from './row.ts'

const ROUNDS = 60
const WARM_UP_ROUNDS = 5
const REQUESTS = 100
const AT_ONCE = 16

export async function run(): Promise<Row[]> {
  const all = await createChosenApp(() => true)
  const handlers = [
    { name: 'none', ...(await createChosenApp(() => false)) },
    { name: 'all', ...all },
    ...(await Promise.all(
      all.names.map(async (name) => ({ name, ...(await createChosenApp((one) => one !== name)) })),
    )),
  ]
  const samples: { [name: string]: number[] } = {}
  try {
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
      for (const { name, generate } of shuffled(handlers)) {
        const cpuMs = await measure(generate)
        if (round >= 0) samples[name] = [...(samples[name] ?? []), cpuMs]
      }
    }
  } finally {
    for (const { close } of handlers) await close()
  }
  const costsOf = (name: string) => samples[name] ?? []
  const floor = median(costsOf('none'))
  // Within a round, because the machine's own speed changes from one to the next.
  const shareOf = (name: string) =>
    median(costsOf(name).map((without, round) => (costsOf('all')[round] ?? 0) - without))
  const row = (name: string, value: number) => compare(name, { value, unit: 'ms CPU', against: 'no plugin', floor })
  return [
    row('a live generate with every plugin', median(costsOf('all'))),
    ...all.names.map((name) => row(`the share of ${name}`, shareOf(name))),
  ]
}

/** Milliseconds of CPU for one. */
async function measure(generate: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  let left = REQUESTS
  const work = async () => {
    while (left > 0) {
      left -= 1
      await generate()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / REQUESTS
}
