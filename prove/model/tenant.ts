// The expected behaviour of the service, as plainly as possible: no storage, no races, no codes. One tenant's world in
// memory.
import type { Command } from './commands.ts'

const REPORT_PRICE = 500
const SMS_PRICE = 40
const LIFETIME_MS = 300_000

export type ModelReport = {
  mode: 'live' | 'test'
  state: 'open' | 'complete' | 'failed' | 'expired' | 'blocked'
  challenged: boolean
  wrong: number
  textsAtMs: number[]
  /** The number of the text whose code completed it. */
  completedBy: number | null
  /** Once the service has answered. */
  creditReportId: string
  challengeId: string
}

/** The parts of an answer that the model reads. */
export type Expected = {
  http: number
  status?: string
  wallet?: { balance: number; cost: number }
  attemptsRemaining?: number
  smsSentCount?: number
  /** The answer to an earlier request, word for word. */
  replayOf?: string
}

type KeptKey = { body: string; expected: Expected; request: string; report: ModelReport }

export class ModelTenant {
  balance: number
  held = 0
  readonly reports: ModelReport[] = []
  readonly #keys = new Map<string, KeptKey>()

  constructor(credits: number) {
    this.balance = credits
  }

  /** Resolves what a command means: which report it is about, if there is one. */
  reportFor(command: Command & { pick: number }): ModelReport | undefined {
    const challenged = this.reports.filter((report) => report.challenged)
    return challenged[command.pick % Math.max(1, challenged.length)]
  }

  /** `request` names this request, for replays of it. */
  generate(
    { mode, branch, key }: Command & { do: 'generate' },
    nowMs: number,
    request: string,
  ): { expected: Expected; report: ModelReport | null } {
    const body = `${mode} ${branch}`
    const known = key === null ? undefined : this.#keys.get(`generate ${key}`)
    if (known) {
      if (known.body !== body) return { expected: { http: 400 }, report: null }
      return { expected: { ...known.expected, replayOf: known.request }, report: null }
    }
    const before = this.balance
    const isLive = mode === 'live'
    if (isLive && before < REPORT_PRICE) return { expected: { http: 402 }, report: null }
    if (isLive && branch === 'challenge' && before < REPORT_PRICE + SMS_PRICE)
      return { expected: { http: 402 }, report: null }

    const cost = isLive && branch !== 'block' ? REPORT_PRICE : 0
    if (isLive && branch === 'allow') this.balance -= REPORT_PRICE
    if (isLive && branch === 'challenge') {
      this.balance -= REPORT_PRICE + SMS_PRICE
      this.held += REPORT_PRICE
    }
    const report: ModelReport = {
      mode,
      state: branch === 'challenge' ? 'open' : branch === 'allow' ? 'complete' : 'blocked',
      challenged: branch === 'challenge',
      wrong: 0,
      textsAtMs: branch === 'challenge' ? [nowMs] : [],
      completedBy: null,
      creditReportId: '',
      challengeId: '',
    }
    this.reports.push(report)
    const status = { challenge: 'authentication-required', allow: 'complete', block: 'blocked' }[branch]
    const expected: Expected = { http: 200, status, wallet: { balance: this.balance, cost } }
    if (key !== null) this.#keys.set(`generate ${key}`, { body, expected, request, report })
    return { expected, report }
  }

  submit(report: ModelReport, guess: 'newest' | 'first' | 'wrong', nowMs: number): Expected {
    const said = (status: string, attemptsRemaining?: number): Expected => ({
      http: 200,
      status,
      wallet: { balance: this.balance, cost: 0 },
      ...(attemptsRemaining === undefined ? {} : { attemptsRemaining }),
    })
    const texts = report.textsAtMs
    const isGood = (text: number) => nowMs - (texts[text] ?? Number.NEGATIVE_INFINITY) <= LIFETIME_MS
    const newest = texts.length - 1
    // In test mode every text carries the same code, so a right code is always the newest one's.
    const guessed = guess === 'wrong' ? null : guess === 'first' && report.mode === 'live' ? 0 : newest

    if (report.state === 'failed') return said('failed')
    if (report.state === 'complete') {
      const again = guessed !== null && guessed === report.completedBy && isGood(guessed)
      return again ? said('complete') : { http: 410 }
    }
    if (report.state === 'expired' || !isGood(newest)) {
      this.expire(report)
      return { http: 410 }
    }
    if (guessed !== null && isGood(guessed)) {
      report.state = 'complete'
      report.completedBy = guessed
      if (report.mode === 'live') this.held -= REPORT_PRICE
      return said('complete')
    }
    // A true code that is too old: no attempt.
    if (guessed !== null) return said('retry', 3 - report.wrong)
    report.wrong += 1
    if (report.wrong < 3) return said('retry', 3 - report.wrong)
    report.state = 'failed'
    this.#giveBack(report)
    return said('failed')
  }

  resend(report: ModelReport, key: number | null, nowMs: number, request: string): Expected {
    const name = `resend ${this.reports.indexOf(report)} ${key}`
    const known = key === null ? undefined : this.#keys.get(name)
    if (known) return { ...known.expected, replayOf: known.request }
    const last = report.textsAtMs.at(-1) ?? Number.NEGATIVE_INFINITY
    if (report.state === 'open' && nowMs - last > LIFETIME_MS) this.expire(report)
    if (report.state !== 'open') return { http: 410 }
    if (report.textsAtMs.length === 3) return { http: 429 }
    if (report.mode === 'live') {
      if (this.balance < SMS_PRICE) return { http: 402 }
      this.balance -= SMS_PRICE
    }
    report.textsAtMs.push(nowMs)
    const expected: Expected = { http: 200, smsSentCount: report.textsAtMs.length }
    if (key !== null) this.#keys.set(name, { body: '', expected, request, report })
    return expected
  }

  topUp(credits: number): void {
    this.balance += credits
  }

  /** The sweeper: unanswered live challenges release their holds. */
  sweep(nowMs: number): void {
    for (const report of this.reports) {
      const last = report.textsAtMs.at(-1) ?? Number.NEGATIVE_INFINITY
      if (report.mode === 'live' && report.state === 'open' && nowMs - last > LIFETIME_MS) this.expire(report)
    }
  }

  expire(report: ModelReport): void {
    if (report.state !== 'open') return
    report.state = 'expired'
    this.#giveBack(report)
  }

  #giveBack(report: ModelReport): void {
    if (report.mode !== 'live') return
    this.held -= REPORT_PRICE
    this.balance += REPORT_PRICE
  }
}
