import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRequest } from '../../../contract/samples.ts'
import { createSilentLog } from '../../../service/log.ts'
import { createHttpMatch } from './risk-and-match.ts'

const creditReportId = 'report-1'
const never = new AbortController().signal
const question = { creditReportId, tenantId: 'demo-lender', consumer: sampleRequest, mobileNumber: '+447700900123' }

let server: Server
let reply: object | 'hang' = {}
let cuts = 0
let seen: { path?: string | undefined; key?: unknown; body?: { [name: string]: unknown } } = {}
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const key = request.headers['idempotency-key']
    seen = { path: request.url, key, body: JSON.parse(Buffer.concat(chunks).toString()) }
    if (cuts > 0) {
      cuts -= 1
      response.destroy()
      return
    }
    if (reply !== 'hang') response.setHeader('Content-Type', 'application/json').end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function match(timeoutMs = 30_000) {
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return createHttpMatch({ url, token: 'token-of-match', log: createSilentLog(), timeoutMs }).match(question, never)
}

test.each(['matched', 'not-matched', 'unknown'])(
  '%s is passed on, about this person and number alone',
  async (result) => {
    reply = { reference: creditReportId, result }
    expect(await match()).toBe(result)
    expect(seen).toMatchObject({ path: '/matches', key: creditReportId })
    expect(Object.keys(seen.body ?? {}).sort()).toEqual([
      'addresses',
      'mobileNumber',
      'person',
      'reference',
      'tenantId',
    ])
  },
)

test.each([
  ['another report', { reference: 'report-2', result: 'matched' }, 'wrong-person'],
  ['a word that is none', { reference: creditReportId, result: 'yes' }, 'garbage'],
  ['nothing', {}, 'garbage'],
])('an answer about %s is no answer', async (_what, given, reason) => {
  reply = given
  await expect(match()).rejects.toMatchObject({ name: 'ProviderUnavailable', provider: 'match', reason })
})

test('a cut answer is asked for again', async () => {
  reply = { reference: creditReportId, result: 'matched' }
  cuts = 1
  expect(await match()).toBe('matched')
  expect(cuts).toBe(0)
})

test('one that hangs is given up when its time is over', async () => {
  reply = 'hang'
  await expect(match(100)).rejects.toMatchObject({ provider: 'match', reason: 'time-out' })
})
