// Lenders send requests while something is killed. Every request carries a key and is repeated until it is answered, as
// a lender's server does; what was answered once must be true for ever.

import { deriveKeys } from '../../service/keys.ts'
import { codeOf } from '../../service/texts/code.ts'
import { liveRequest } from '../../testing/test-app.ts'
import { must } from '../faults/must.ts'
import type { ServiceChild } from '../faults/service-child.ts'

/** The codes follow from it, so that the load can type them whatever became of the texts. */
const SECRET_KEY = 'a secret key for crashes that is long enough'

/** The settings of a service under this load. */
export const LOAD_SETTINGS = {
  SECRET_KEY,
  // Small, so that the demo's wallet lasts for every report of a whole run.
  REPORT_PRICE_CREDITS: '5',
  SMS_PRICE_CREDITS: '1',
  // A check that met a death is finished at the end of the run, which may be an hour later.
  CHALLENGE_TTL_SECONDS: '86400',
}

const REPORTS = '/demo-lender/v1/credit-reports'
const CHALLENGED = 'Example'
const PAUSE_MS = 50
/**
 * A lender that is refused does not ask at once: an outage must not make more wishes than a run can fulfil afterwards.
 */
const REFUSED_PAUSE_MS = 250
/** Asking, and typing the code, with a little patience. */
const TRIES = 3

/** One report that is wanted, from asking to having it. */
type Wish = {
  key: string
  lastName: string
  sessionId: string
  creditReportId: string | null
  challengeId: string | null
  isComplete: boolean
}

export type Load = {
  /** Works until `stop`; a service that is not there is waited for. */
  start(): void
  stop(): Promise<void>
  /** Repeats everything that was begun until all of it is complete. */
  finish(): Promise<void>
  /** The ids of the reports that were answered as complete. */
  acknowledged(): string[]
  counts: { answers: number; lost: number; replays: number }
}

export type LoadOptions = {
  clients: number
  /** The service as it is now; null while there is none. */
  service(): ServiceChild | null
  /** The device session of the consumer who is challenged, as it is now. */
  sessionId(): string
}

/** Too slow to be read, still leased to a request that died, the database is away. */
const AGAIN = [408, 409, 503]

const codesKey = deriveKeys([Buffer.from(SECRET_KEY, 'utf8')]).codes[0]

export function createLoad({ clients, service, sessionId }: LoadOptions): Load {
  const wishes: Wish[] = []
  const counts = { answers: 0, lost: 0, replays: 0 }
  let working: Promise<unknown> | null = null
  let isStopping = false

  function newWish(): Wish {
    const lastName = wishes.length % 2 === 0 ? 'Allow' : CHALLENGED
    const state = { creditReportId: null, challengeId: null, isComplete: false }
    const wish = { key: `wish-${wishes.length}`, lastName, sessionId: sessionId(), ...state }
    wishes.push(wish)
    return wish
  }

  async function ask(path: string, body: unknown, key?: string) {
    try {
      const answer = await service()?.call(path, body, key === undefined ? {} : { 'Idempotency-Key': key })
      if (answer) counts.answers += 1
      return answer ?? null
    } catch {
      counts.lost += 1
      return null
    }
  }

  /** One step further, if the service answers. */
  async function pursue(wish: Wish): Promise<void> {
    if (wish.creditReportId !== null && wish.challengeId !== null) {
      const code = codeOf(codesKey, wish.challengeId, 1)
      const body = { challengeId: wish.challengeId, code }
      const answer = await ask(`${REPORTS}/${wish.creditReportId}/otp-challenge`, body)
      if (answer?.status === 200) {
        must(answer.body.data.status === 'complete', `the right code must complete, not ${answer.body.data.status}`)
        wish.isComplete = true
      }
      return
    }
    // A session belongs to the first consumer who shows it; a consumer who is allowed needs none.
    const request = {
      ...liveRequest(wish.lastName),
      ...(wish.lastName === CHALLENGED ? { sessionId: wish.sessionId } : {}),
    }
    const answer = await ask(REPORTS, request, wish.key)
    if (answer === null || AGAIN.includes(answer.status)) return pause(REFUSED_PAUSE_MS)
    must(answer.status === 200, `a wish must not be answered with ${answer.status}`)
    const { creditReportId, challenge, status } = answer.body.data
    must(wish.creditReportId === null || wish.creditReportId === creditReportId, 'one key must make one report')
    wish.creditReportId = creditReportId
    wish.challengeId = challenge?.challengeId ?? null
    wish.isComplete = status === 'complete'
  }

  async function client(): Promise<void> {
    while (!isStopping) {
      if (service() === null) await pause(PAUSE_MS)
      else await pursueAWhile(newWish())
    }
  }

  /** A wish that meets a death stays open, to be repeated at the end. */
  async function pursueAWhile(wish: Wish): Promise<void> {
    for (let tries = 0; tries < TRIES && !wish.isComplete; tries += 1) await pursue(wish)
  }

  async function pursueToTheEnd(wishesLeft: Wish[]): Promise<void> {
    for (let wish = wishesLeft.pop(); wish !== undefined; wish = wishesLeft.pop()) {
      while (!wish.isComplete) {
        await pursue(wish)
        counts.replays += 1
        if (!wish.isComplete) await pause(PAUSE_MS)
      }
    }
  }

  return {
    start() {
      isStopping = false
      working = Promise.all(Array.from({ length: clients }, client))
      // A breach is heard in `stop`; until then it must not end the process that kills and counts.
      working.catch(() => {})
    },
    async stop() {
      isStopping = true
      await working
    },
    async finish() {
      const left = wishes.filter((wish) => !wish.isComplete)
      await Promise.all(Array.from({ length: clients }, () => pursueToTheEnd(left)))
    },
    acknowledged: () =>
      wishes.flatMap(({ isComplete, creditReportId }) => (isComplete && creditReportId ? [creditReportId] : [])),
    counts,
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
