// More consumers through the shipped proxy than any of its stores remembers: once the stores are full, its memory rises
// no more. The service is in another process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_MODE_CODE } from '../contract/limits.ts'
import { startNodeServer } from '../service/http/node-server.ts'
import { createTestService } from '../tenant-proxy/testing/service.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { LENDER } from './cuts/demo-lender.ts'
import { isQuick, must } from './faults/must.ts'
import { startLenderChild } from './mixed-load/lender-child.ts'

/** The largest stores, of networks, are full after the first half; those of checks and requests before. */
const CHECKS = 60_000
const ROUNDS = 40
const AT_ONCE = 16
/** The last quarter may have so many times the heap of the quarter before, when all stores were full. */
const RISE_MAX = 1.03
const MIB = 1_048_576

export const about = {
  title: 'Memory of the proxy',
  text: 'Challenged checks through the proxy, each from a network of its own: twice as many as it remembers networks, six times as many as it remembers checks. In the last quarter the heap in use may be 3 % above that of the quarter before.',
  meanings: {
    'heap in use, MB': 'of the lender’s server, after a full collection',
    'times the quarter before': 'the heap of the last quarter',
  },
}

export async function run({ scale }: { scale: number }) {
  const { tenantId, credentials } = LENDER
  const folder = mkdtempSync(join(tmpdir(), 'proxy-memory-'))
  let service = createTestService({ tenantId, credentials })
  const server = await startNodeServer({
    fetch: (request) => service.options.fetch(request),
    host: '127.0.0.1',
    port: 0,
  })
  const lender = await startLenderChild({ url: `http://127.0.0.1:${server.port}`, dataDir: folder })
  const heaps: number[] = []
  const perRound = Math.max(1, Math.round((CHECKS * scale) / ROUNDS))
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const numbers = Array.from({ length: perRound }, (_, index) => round * perRound + index).values()
      const follow = async () => {
        for (const number of numbers) await check(lender.origin, number)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, follow))
      heaps.push(await lender.liveHeap())
      // It remembers every check.
      service = createTestService({ tenantId, credentials })
    }
  } finally {
    await lender.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const quarter = (index: number) => Math.max(...heaps.slice((index * ROUNDS) / 4, ((index + 1) * ROUNDS) / 4))
  const times = Math.round((quarter(3) / quarter(2)) * 1_000) / 1_000
  return {
    ok: isQuick(scale) || times <= RISE_MAX,
    why: `the heap rose to ${times} times that of the quarter before`,
    counts: {
      checks: perRound * ROUNDS,
      'heap in use, MB': heaps.map((bytes) => Math.round((bytes / MIB) * 10) / 10),
      'times the quarter before': times,
    },
  }
}

/** From the details to the report, over the right code. */
async function check(origin: string, number: number): Promise<void> {
  const browser = createTestBrowser((request) => fetch(request), { origin })
  const from = { 'X-Forwarded-For': `11.${number >> 16}.${(number >> 8) & 255}.${number & 255}` }
  await browser.get('/credit-reports/current', from)
  const headers = { ...from, 'Idempotency-Key': crypto.randomUUID() }
  const begun = (await (await browser.generate({ lastName: 'Challenge' }, headers)).json()).data
  const code = { challengeId: begun?.challenge?.challengeId, code: TEST_MODE_CODE }
  const path = `/credit-reports/${begun?.creditReportId}/otp-challenge`
  const { data } = await (await browser.post(path, code, from)).json()
  must(data?.status === 'complete', `check ${number} ended as ${data?.status}`)
}
