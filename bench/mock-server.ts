// The service in test mode against a mock server of its own description: the usual way to develop against an API
// without it. The mock answers every request with the same example; the service checks, decides, bills and writes it
// down.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchPeers } from '../scripts/fetch-peers.mjs'
import { compare, median } from './measure.ts'
import type { Row } from './row.ts'
import { BUILT_SERVICE, generateBody, REPORTS, type ServiceProcess, startProcess } from './service-process.ts'
import { MOCK_SERVER } from './targets.ts'

const ROUNDS = 9
const WARM_UP_ROUNDS = 6
const REQUESTS = 200
const AT_ONCE = 16
/** Its last version for every Node this project runs on. */
const PRISM = '@stoplight/prism-cli@5.14.2'
const AGAINST = 'Prism 5.14.2, mock of openapi.json'

/** Milliseconds per request. */
type Sample = { cpuMs: number; wallMs: number }

export async function run(): Promise<Row[]> {
  const modules = fetchPeers('mock-server', [PRISM])
  if (!modules) return []
  const folder = mkdtempSync(join(tmpdir(), 'bench-mock-'))
  const service = await startProcess({ script: BUILT_SERVICE, dataDir: folder, sockets: AT_ONCE })
  const mock = await startProcess({ script: 'bench/peers/mock-server.mjs', dataDir: modules, sockets: AT_ONCE })
  try {
    const samples = { ours: [] as Sample[], theirs: [] as Sample[] }
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      const ours = await measure(service)
      const theirs = await measure(mock)
      if (round < 0) continue
      samples.ours.push(ours)
      samples.theirs.push(theirs)
    }
    const perSecond = (list: Sample[], clock: keyof Sample) => 1000 / median(list.map((sample) => sample[clock]))
    return (['cpuMs', 'wallMs'] as const).map((clock) =>
      compare(clock === 'cpuMs' ? 'generate, complete' : 'generate, complete, by the clock', {
        value: perSecond(samples.ours, clock),
        unit: clock === 'cpuMs' ? 'req/CPU s' : 'req/s',
        against: AGAINST,
        floor: perSecond(samples.theirs, clock),
        target: clock === 'cpuMs' ? MOCK_SERVER.ofPrism : null,
      }),
    )
  } finally {
    await mock.stop()
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(server: ServiceProcess): Promise<Sample> {
  const cpuBeganMs = await server.cpuMs()
  const wallBeganMs = performance.now()
  const share = Array.from({ length: REQUESTS / AT_ONCE }, () => generateBody('allow'))
  const work = async () => {
    for (const body of share) await server.post(REPORTS, body)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const count = share.length * AT_ONCE
  const wallMs = performance.now() - wallBeganMs
  return { cpuMs: ((await server.cpuMs()) - cpuBeganMs) / count, wallMs: wallMs / count }
}
