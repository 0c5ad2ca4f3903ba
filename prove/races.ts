// Two processes, one database, everything at once: what may happen three times happens exactly three times.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../service/store/database.ts'
import { openTestDatabase } from '../testing/open-database.ts'
import { liveRequest, testRequest } from '../testing/test-app.ts'
import { startThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { booksMustBalance } from './faults/ledger-checks.ts'
import { must, type ReportAnswer, times } from './faults/must.ts'
import { type ServiceChild, startChild } from './faults/service-child.ts'

const REPORTS = '/demo-lender/v1/credit-reports'
const ROUNDS = 30
const GUESSES = 200
const RESENDS = 50
const REPEATS = 20
const ASKS_MAX = 50
const ASK_AGAIN_MS = 200

export const about = {
  title: 'Races on two processes',
  text: 'Two services on one PostgreSQL get simultaneous wrong codes, right codes, resends and identical requests. Exactly three attempts count, two resends are sent, one key makes one report, and the books balance.',
}

/**
 * 410 is what comes after complete; 429 is more codes than anybody types; 408 and 503 are a process that has more to do
 * than it can, and judged nothing.
 */
const JUDGED_OR_NOT = [200, 408, 410, 429, 503]

type Race = { services: readonly ServiceChild[]; database: Database }

export async function run({ scale }: { scale: number }): Promise<{ ok: boolean; counts: { [what: string]: number } }> {
  const server = await startThrowawayPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'races-'))
  const databaseUrl = await server.createDatabase()
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: folder }
  const services = await Promise.all([startChild(environment), startChild(environment)])
  const database = await openTestDatabase({ databaseUrl, dataDir: folder })
  const race = { services, database }
  const rounds = times(ROUNDS, scale)
  try {
    for (let round = 0; round < rounds; round += 1) {
      await guessWrong(race)
      await guessRightOnce(race, round)
      await resendAtOnce(race)
      await askRepeatedly(race, round)
    }
    await booksMustBalance(database)
  } finally {
    await database.close()
    await Promise.all(services.map((service) => service.kill()))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const counts = { rounds, 'wrong codes at once': GUESSES * rounds, 'resends at once': RESENDS * rounds }
  return { ok: true, counts: { ...counts, 'identical requests at once': REPEATS * rounds } }
}

/** However many wrong codes arrive, two may try again and the third ends it. */
async function guessWrong(race: Race): Promise<void> {
  const started = await startChallenge(race)
  const statuses = await guess(race, started, Array(GUESSES).fill('000000'))
  must(count(statuses, 'retry') === 2, `two codes may be retried, not ${count(statuses, 'retry')}`)
  must(count(statuses, 'failed') > 0, 'the third wrong code fails')
  const row = await rowOf(race, started)
  must(row.attempts === 3 && row.status === 'failed', `three attempts count, not ${row.attempts} (${row.status})`)
}

/** One right code among wrong ones completes it or comes too late, and everyone hears the same. */
async function guessRightOnce(race: Race, round: number): Promise<void> {
  const started = await startChallenge(race)
  const codes: string[] = Array(GUESSES).fill('000000')
  codes[(round * 37) % 12] = '123456'
  const statuses = await guess(race, started, codes)
  const row = await rowOf(race, started)
  const isComplete = row.status === 'complete'
  must(isComplete || (row.status === 'failed' && row.attempts === 3), 'it is complete, or failed after three')
  must(count(statuses, 'complete') === (isComplete ? 1 : 0), 'complete is said when it is, once')
  must(count(statuses, 'failed') === 0 || !isComplete, 'failed is never said of what is complete')
}

async function resendAtOnce(race: Race): Promise<void> {
  const started = await startChallenge(race)
  const path = `${REPORTS}/${started.creditReportId}/resend-sms`
  const answers = await spread(race, Array(RESENDS).fill(started.challenge), (service, body) =>
    service.call(path, body),
  )
  const sent = answers.filter(({ status }) => status === 200)
  must(sent.length === 2, `two resends are allowed, not ${sent.length}`)
  must(Number((await rowOf(race, started)).sends) === 3, 'three texts count')
}

/** The same request again and again makes one report and one charge. */
async function askRepeatedly(race: Race, round: number): Promise<void> {
  const key = { 'Idempotency-Key': `race-${round}` }
  const requests = Array(REPEATS).fill(liveRequest('Allow'))
  const answers = await spread(race, requests, (service, body) => service.call(REPORTS, body, key))
  must(
    answers.every(({ status }) => [200, 408, 409, 503].includes(status)),
    'everyone gets it, or has to wait',
  )
  // A machine with too much to do may tell all of them to wait; a caller who asks once more then gets it.
  answers.push(await askUntilMade(race, key))
  const made = answers.filter(({ status }) => status === 200)
  const ids = new Set(made.map(({ body }) => body.data.creditReportId))
  must(ids.size === 1, `one report is made, not ${ids.size}`)
}

async function askUntilMade({ services: [service] }: Race, key: { 'Idempotency-Key': string }) {
  for (let tries = 0; service && tries < ASKS_MAX; tries += 1) {
    const answer = await service.call(REPORTS, liveRequest('Allow'), key)
    if (answer.status === 200) return answer
    await sleep(ASK_AGAIN_MS)
  }
  throw new Error('who asks again in the end gets the report')
}

async function startChallenge({ services: [service] }: Race): Promise<ReportAnswer> {
  const answer = await service?.call(REPORTS, testRequest('challenge'))
  must(answer?.status === 200, 'a challenge can be started')
  return answer.body.data
}

async function guess(race: Race, started: ReportAnswer, codes: readonly string[]): Promise<string[]> {
  const path = `${REPORTS}/${started.creditReportId}/otp-challenge`
  const answers = await spread(race, codes, (service, code) => service.call(path, { ...started.challenge, code }))
  const odd = answers.filter(({ status }) => !JUDGED_OR_NOT.includes(status)).map(({ status }) => status)
  must(odd.length === 0, `every code is judged, late or not judged at all, but some got ${odd.join(' ')}`)
  return answers.map(({ status, body }) => (status === 200 ? body.data.status : String(status)))
}

/** Half to each process, all at once. */
function spread<Item, Answer>(
  { services }: Race,
  items: readonly Item[],
  ask: (service: ServiceChild, item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(
    items.map((item, index) => {
      const service = services[index % services.length]
      return service ? ask(service, item) : Promise.reject(new Error('no service'))
    }),
  )
}

async function rowOf({ database }: Race, { creditReportId }: ReportAnswer) {
  const row = await database.first('SELECT status, attempts, sends FROM credit_report WHERE id = ?', creditReportId)
  must(row !== null, 'the report is there')
  return row
}

function count(statuses: readonly string[], status: string): number {
  return statuses.filter((each) => each === status).length
}
