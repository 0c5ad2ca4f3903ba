// The service against a plain model of it: the same stories, played on both, must go the same way to the last credit.
// Many stories are played side by side, one step a round, so that a round shares its commits.
import * as fc from 'fast-check'
import { deriveKeys } from '../service/keys.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { codeOf } from '../service/texts/code.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp, testRequest } from '../testing/test-app.ts'
import { booksMustBalance } from './faults/ledger-checks.ts'
import { must } from './faults/must.ts'
import { type Command, type Pause, pauses, type Story, stories } from './model/commands.ts'
import { type Expected, type ModelReport, ModelTenant } from './model/tenant.ts'

const STORIES = 100_000
const COMMANDS_PER_STORY = 20
const STORIES_AT_ONCE = 100
/** A fresh database now and then: the newest hundred thousand reports are as good as the first. */
const BATCHES_PER_DATABASE = 20

export const about = {
  title: 'Compared with a model',
  text: 'Random sequences of twenty commands (generate, submit, resend, wait, top up, retry under a key; live and test) run against the service and a two-page model. Every status, balance, cost, count and replay must match, and the books balance.',
  meanings: { seed: 'repeats the same sequences' },
}

const codesKey = deriveKeys([Buffer.from(TEST_SECRET_KEY, 'utf8')]).codes[0]

export async function run({ scale }: { scale: number }): Promise<{ ok: boolean; counts: { [what: string]: number } }> {
  const batches = Math.max(1, Math.round((STORIES / STORIES_AT_ONCE) * scale))
  const seed = Date.now() & 0x7fffffff
  let app: TestApp = await createTestApp()
  let played = 0
  const batch = fc.asyncProperty(
    stories({ count: STORIES_AT_ONCE, commands: COMMANDS_PER_STORY }),
    pauses(COMMANDS_PER_STORY),
    async (batchStories, batchPauses) => {
      if (played > 0 && played % BATCHES_PER_DATABASE === 0) {
        await booksMustBalance(app.database)
        await app.close()
        app = await createTestApp()
      }
      played += 1
      await tell(app, batchStories, batchPauses)
    },
  )
  try {
    await fc.assert(batch, { numRuns: batches, seed, endOnFailure: true })
    await booksMustBalance(app.database)
  } finally {
    await app.close()
  }
  const count = batches * STORIES_AT_ONCE
  return { ok: true, counts: { stories: count, commands: count * COMMANDS_PER_STORY, seed } }
}

type Telling = { tenantId: string; model: ModelTenant; answers: Map<string, string> }

async function tell(app: TestApp, batch: readonly Story[], rests: readonly Pause[]): Promise<void> {
  const tellings = await Promise.all(
    batch.map(async ({ credits }): Promise<Telling> => {
      return { tenantId: await app.newTenant(credits), model: new ModelTenant(credits), answers: new Map() }
    }),
  )
  for (const [round, { advanceMs, sweep }] of rests.entries()) {
    await Promise.all(
      tellings.map(async (telling, index) => {
        const command = batch[index]?.commands[round]
        if (command) await step(app, telling, command, round)
      }),
    )
    await walletsMustAgree(app, tellings)
    app.time.nowMs += advanceMs
    if (sweep) {
      // A round of the sweeper is bounded; a busy one leaves work for the next.
      while (Object.values(await app.sweeper.sweep()).some((done) => done > 0)) {}
      for (const { model } of tellings) model.sweep(app.time.nowMs)
    }
  }
  app.time.nowMs += 300_001
  for (const { model } of tellings) model.sweep(app.time.nowMs)
  while (Object.values(await app.sweeper.sweep()).some((done) => done > 0)) {}
  await walletsMustAgree(app, tellings)
}

async function step(app: TestApp, telling: Telling, command: Command, round: number): Promise<void> {
  const { tenantId, model } = telling
  const { nowMs } = app.time
  const request = `${round}`
  const keyed = (key: number | null) => ({
    token: tenantId,
    ...(key === null ? {} : { 'Idempotency-Key': `key-${key}` }),
  })
  if (command.do === 'top-up') {
    await topUp(app.database, { tenantId, credits: command.credits, reference: request, nowMs })
    model.topUp(command.credits)
    return
  }
  if (command.do === 'generate') {
    const { expected, report } = model.generate(command, nowMs, request)
    const answer = await app.generate(bodyOf(command), keyed(command.key))
    mustAgree(telling, command, expected, answer, request)
    if (report && answer.status === 200) {
      report.creditReportId = answer.body.data.creditReportId
      report.challengeId = answer.body.data.challenge?.challengeId ?? ''
    }
    return
  }
  const report = model.reportFor(command)
  if (report === undefined) return
  const started = { creditReportId: report.creditReportId, challenge: { challengeId: report.challengeId } }
  if (command.do === 'resend') {
    const expected = model.resend(report, command.key, nowMs, request)
    mustAgree(telling, command, expected, await app.resend(started, keyed(command.key)), request)
    return
  }
  const code = codeFor(report, command.guess)
  const expected = model.submit(report, command.guess, nowMs)
  mustAgree(telling, command, expected, await app.submit(started, code, { token: tenantId }), request)
}

const LAST_NAMES = { allow: 'Allow', block: 'Block', challenge: 'Example' }

function bodyOf({ mode, branch }: Command & { do: 'generate' }) {
  return mode === 'test' ? testRequest(branch) : liveRequest(LAST_NAMES[branch])
}

function codeFor({ mode, challengeId, textsAtMs }: ModelReport, guess: 'newest' | 'first' | 'wrong'): string {
  if (mode === 'test') return guess === 'wrong' ? '000000' : '123456'
  if (guess !== 'wrong') return codeOf(codesKey, challengeId, guess === 'first' ? 1 : textsAtMs.length)
  const right = [1, 2, 3].map((send) => codeOf(codesKey, challengeId, send))
  return ['000000', '000001', '000002', '000003'].find((code) => !right.includes(code)) ?? ''
}

type Answer = Awaited<ReturnType<TestApp['call']>>

function mustAgree({ answers }: Telling, command: Command, expected: Expected, answer: Answer, request: string): void {
  const { meta, data } = answer.body
  const said: Expected = {
    http: answer.status,
    ...(data?.status === undefined ? {} : { status: data.status }),
    ...(meta?.wallet === undefined ? {} : { wallet: meta.wallet }),
    ...(data?.attemptsRemaining === undefined ? {} : { attemptsRemaining: data.attemptsRemaining }),
    ...(data?.smsSentCount === undefined ? {} : { smsSentCount: data.smsSentCount }),
  }
  const { replayOf, ...rest } = expected
  const [want, got] = [ordered(rest), ordered(said)]
  must(want === got, `${JSON.stringify(command)} must answer ${want}, not ${got}`)
  // The time is each request's own.
  const text = JSON.stringify({ data, wallet: meta?.wallet })
  if (replayOf === undefined) answers.set(request, text)
  else {
    must(answers.get(replayOf) === text, `${JSON.stringify(command)} must repeat its first answer`)
    must(answer.headers.get('Idempotent-Replayed') === 'true', 'a repeated answer says that it is one')
  }
}

function ordered({ http, status, wallet, attemptsRemaining, smsSentCount }: Expected): string {
  return JSON.stringify([http, status, wallet?.balance, wallet?.cost, attemptsRemaining, smsSentCount])
}

async function walletsMustAgree(app: TestApp, tellings: readonly Telling[]): Promise<void> {
  const ids = tellings.map(({ tenantId }) => tenantId)
  const rows = await app.database.all(
    `SELECT tenant_id, balance_credits, held_credits FROM wallet WHERE tenant_id IN (${ids.map(() => '?').join(', ')})`,
    ...ids,
  )
  const wallets = new Map(rows.map((row) => [row.tenant_id, `${row.balance_credits} and ${row.held_credits} held`]))
  for (const { tenantId, model } of tellings) {
    const [want, got] = [`${model.balance} and ${model.held} held`, wallets.get(tenantId)]
    must(want === got, `${tenantId} must have ${want}, not ${got}`)
  }
}
