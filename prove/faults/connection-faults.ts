// F-12 and F-13: the work is done, and the answer is lost on its way.

import { createMetrics } from '../../plugins/metrics/metrics.ts'
import { startNodeServer } from '../../service/http/node-server.ts'
import { createRandom } from '../../service/providers/simulated/synthetic-random.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { watchAlerts } from './alerts.ts'
import { booksMustBalance, completeReports } from './ledger-checks.ts'
import { type FaultRun, must, type ReportAnswer, times } from './must.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** A little more than the longest answer, so that some answers come through whole. */
const ANSWER_BYTES_MAX = 6_000

export const connectionFaults: readonly FaultRun[] = [
  {
    id: 'F-12',
    what: 'the connection breaks at a random byte of the answer',
    run: (scale) => withWire((stage) => cutAnywhere(stage, times(1_000, scale))),
  },
  {
    id: 'F-13',
    what: 'the answer is lost at each step of a check',
    run: (scale) => withWire((stage) => loseEveryAnswer(stage, times(200, scale))),
  },
]

type Stage = { app: TestApp; wire: TcpProxy; post: Post }
type Post = (path: string, body: unknown, key?: string) => Promise<{ status: number; body: Answer } | null>

/** The parts of an answer that matter here. */
type Answer = { data: ReportAnswer }

async function withWire(work: (stage: Stage) => Promise<number>): Promise<number> {
  const metrics = createMetrics()
  const app = await createTestApp({ metrics })
  const mustStaySilent = await watchAlerts(() => metrics.render())
  const server = await startNodeServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  const wire = await startTcpProxy({ host: '127.0.0.1', port: server.port })

  const post: Post = async (path, body, key) => {
    try {
      const response = await fetch(`http://127.0.0.1:${wire.port}/demo-lender/v1/credit-reports${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: 'Bearer demo-lender',
          Connection: 'close',
          ...(key ? { 'Idempotency-Key': key } : {}),
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, body: await response.json() }
    } catch {
      return null
    }
  }

  try {
    const tried = await work({ app, wire, post })
    await booksMustBalance(app.database)
    await mustStaySilent()
    return tried
  } finally {
    await wire.close()
    await server.stop()
    await app.close()
  }
}

async function cutAnywhere({ app, wire, post }: Stage, cuts: number): Promise<number> {
  const random = createRandom('cuts')
  let lost = 0
  for (let cut = 0; cut < cuts; cut += 1) {
    const key = `cut-${cut}`
    wire.cutAnswersAfter(random.between(0, ANSWER_BYTES_MAX))
    const first = await post('', liveRequest('Allow'), key)
    wire.cutAnswersAfter(null)
    if (first === null) lost += 1
    const second = await untilAnswered(() => post('', liveRequest('Allow'), key))
    must(second.body.data.status === 'complete', 'the same key must give the report that was paid for')
    if (first !== null) must(first.body.data.creditReportId === second.body.data.creditReportId, 'and the same report')
  }
  must((await completeReports(app.database)) === cuts, 'one report and one charge per key')
  must(lost > 0, 'some answers must have been lost, or nothing was shown')
  return cuts
}

async function loseEveryAnswer({ app, wire, post }: Stage, checks: number): Promise<number> {
  /** Says it, hears nothing, says it again. */
  async function sayTwice(path: string, body: unknown, key?: string): Promise<ReportAnswer> {
    wire.cutAnswersAfter(0)
    must((await post(path, body, key)) === null, 'the first answer must be lost, or nothing was shown')
    wire.cutAnswersAfter(null)
    return (await untilAnswered(() => post(path, body, key))).body.data
  }

  for (let check = 0; check < checks; check += 1) {
    const { creditReportId, challenge } = await sayTwice('', liveRequest(), `generate-${check}`)
    must((await app.codes(creditReportId)).length === 1, 'one text for one check')
    const { smsSentCount } = await sayTwice(`/${creditReportId}/resend-sms`, challenge, `resend-${check}`)
    const codes = await app.codes(creditReportId)
    must(smsSentCount === 2 && codes.length === 2, 'one more text for one resend')
    const { status } = await sayTwice(`/${creditReportId}/otp-challenge`, { ...challenge, code: codes[1] })
    must(status === 'complete', 'the right code, said twice, completes the check')
  }
  return checks * 3
}

/** The first try may still be running when the second arrives. */
async function untilAnswered(ask: () => ReturnType<Post>): Promise<{ status: number; body: Answer }> {
  for (let tries = 0; ; tries += 1) {
    const answer = await ask()
    if (answer?.status === 200) return answer
    must(answer === null || answer.status === 409, `a repeated request must be answered, not ${answer?.status}`)
    must(tries < 100, 'a repeated request must be answered in the end')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
