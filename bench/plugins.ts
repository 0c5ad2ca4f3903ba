// The cost of plugins: live generates of the handler in this process, alone, with every plugin, and with every one but
// one. The handlers take turns.
import { createChosenApp } from '../testing/chosen-plugins.ts'
import { compare } from './measure.ts'
import type { Row } from './row.ts'

const ROUNDS = 20
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
      for (const { name, generate } of handlers) {
        const cpuMs = await measure(generate)
        if (round >= 0) samples[name] = [...(samples[name] ?? []), cpuMs]
      }
    }
  } finally {
    for (const { close } of handlers) await close()
  }
  // The best of many: what a busy machine adds is not the plugin's.
  const costOf = (name: string) => Math.min(...(samples[name] ?? []))
  const [floor, whole] = [costOf('none'), costOf('all')]
  const row = (name: string, value: number) => compare(name, { value, unit: 'ms CPU', against: 'no plugin', floor })
  return [
    row('a live generate with every plugin', whole),
    ...all.names.map((name) => row(`the share of ${name}`, whole - costOf(name))),
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
