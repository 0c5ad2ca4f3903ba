// Consumers of every kind, each from the details to the end.
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestBrowser, type TestBrowser } from '../../testing/proxy-browser.ts'
import { openSession, readCode } from '../cuts/demo-lender.ts'

const RETRIES_MAX = 30
const TEST_CODE = '123456'
const WRONG_CODE = '654321'
/** From 1940 to 2005. */
const DAYS_TO_BE_BORN = 24_000

/**
 * Their actions, by frequency out of a hundred. A lender may send five texts a second: only few are challenged for
 * real.
 */
const SHARES = { allowed: 45, blocked: 5, challenged: 2, test: 35, 'test, wrong code first': 8, spoiled: 5 }
type Kind = keyof typeof SHARES
const KINDS = (Object.keys(SHARES) as Kind[]).flatMap((kind) => Array.from({ length: SHARES[kind] }, () => kind))
/** A number that shares nothing with a hundred, so that every kind comes at every time. */
const STRIDE = 37

export type Crowd = {
  /** The next consumer. */
  check(): Promise<void>
  /** Milliseconds that each request took, repeated ones each for itself. */
  times: { [step in Step]: number[] }
  tally: {
    /** Texts that were paid for. */
    texts: number
    refused: number
    broken: number
    astray: number
  }
  /** Ids of the reports that were paid for. */
  live: Set<string>
}

type From = { 'X-Forwarded-For': string }
type Step = 'current' | 'generate' | 'code'

export function createCrowd(serviceUrl: string, origin: string): Crowd {
  const live = new Set<string>()
  const times: Crowd['times'] = { current: [], generate: [], code: [] }
  const tally = { texts: 0, refused: 0, broken: 0, astray: 0 }
  let begun = 0

  /** Sends, and sends again what was refused for now. */
  async function ask(step: Step, send: () => Promise<Response>): Promise<{ status: number; data: Answered }> {
    for (let tries = 1; ; tries += 1) {
      const startedMs = performance.now()
      const response = await send()
      const body = await response.json()
      times[step].push(performance.now() - startedMs)
      const waitSeconds = Number(response.headers.get('Retry-After'))
      const isHonest = response.status === 503 && waitSeconds > 0
      if (isHonest) tally.refused += 1
      else if (response.status >= 500) {
        tally.broken += 1
        process.stderr.write(`${step}: ${response.status} ${JSON.stringify(body)}\n`)
      }
      if (!isHonest || tries === RETRIES_MAX) return { status: response.status, data: body.data }
      await sleep(waitSeconds * 1000)
    }
  }

  /** Resolves to whether they ended where they must. */
  async function goThrough(kind: Kind, number: number): Promise<boolean> {
    const mount = kind.startsWith('test') ? '/credit-reports/test/challenge/default/load' : '/credit-reports'
    const from = { 'X-Forwarded-For': addressOf(number) }
    const browser = createTestBrowser((request) => fetch(request), { origin, mount })
    await ask('current', () => browser.get(`${mount}/current`, from))
    const details = await detailsOf(kind, number, from)
    const headers = { 'Idempotency-Key': crypto.randomUUID(), ...from }
    const { status, data } = await ask('generate', () => browser.generate(details, headers))
    if (kind === 'spoiled') return status === 400
    if (kind === 'blocked') return data.status === 'blocked'
    if (kind === 'allowed') {
      if (data.status !== 'complete') return false
      live.add(data.creditReportId)
      const again = await ask('current', () => browser.get(`${mount}/current`, from))
      return again.data.creditReportId === data.creditReportId
    }
    return answerChallenge(kind, browser, { path: `${mount}/${data.creditReportId}/otp-challenge`, from, ...data })
  }

  type Challenged = Answered & { path: string; from: From }

  async function answerChallenge(kind: Kind, browser: TestBrowser, challenged: Challenged): Promise<boolean> {
    const { creditReportId, challenge, path, from } = challenged
    const submit = (code: string) =>
      ask('code', () => browser.post(path, { challengeId: challenge?.challengeId, code }, from))
    if (kind === 'test, wrong code first' && (await submit(WRONG_CODE)).data.status === 'complete') return false
    const isLive = kind === 'challenged'
    if (isLive) tally.texts += 1
    const { data } = await submit(isLive ? await readCode(serviceUrl, creditReportId) : TEST_CODE)
    if (isLive && data.status === 'complete') live.add(creditReportId)
    return data.status === 'complete'
  }

  /** Their changes of the sample details; a device of their own only where it counts. */
  async function detailsOf(kind: Kind, number: number, from: From): Promise<object> {
    if (kind === 'spoiled') return { firstName: '' }
    const who = {
      mobileNumber: mobileOf(number),
      firstName: `Sam ${lettersOf(number)}`,
      dateOfBirth: birthdayOf(number),
    }
    if (kind.startsWith('test')) return who
    const lastName = { allowed: 'Allow', blocked: 'Block' }[String(kind)] ?? 'Challenge'
    return { ...who, sessionId: await openSession(serviceUrl, from), lastName }
  }

  return {
    live,
    times,
    tally,
    async check() {
      begun += 1
      const number = begun
      const kind = KINDS[(number * STRIDE) % KINDS.length] ?? 'allowed'
      const end = await goThrough(kind, number).catch((error: unknown) => error)
      if (end === true) return
      tally.astray += 1
      process.stderr.write(`${kind}, number ${number}, went astray: ${end}\n`)
    },
  }
}

type Answered = { status?: string; creditReportId: string; challenge?: { challengeId: string } }

/** No two share a home, a phone or a name: what limits one of them never limits another. */
function addressOf(number: number): string {
  return `${11 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}.7`
}

/** Neighbours in time are far apart in the numbering plan. */
function mobileOf(number: number): string {
  return `+4477${String((number * 7_368_787) % 100_000_000).padStart(8, '0')}`
}

/** A person is a surname, a birthday and a postcode, and may be checked only so often a day. */
function birthdayOf(number: number): string {
  return new Date(Date.UTC(1940, 0, number % DAYS_TO_BE_BORN)).toISOString().slice(0, 10)
}

function lettersOf(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}
