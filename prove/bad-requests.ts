// A million requests with something wrong in each: every one is refused in words, none breaks anything.
import { sampleRequest } from '../contract/samples.ts'
import { createTestApp, KNOWN_SESSION, type TestApp } from '../testing/test-app.ts'
import { createRandom, type Random, spoil, spoilText } from './bad-requests/mutate.ts'
import { booksMustBalance } from './faults/ledger-checks.ts'
import { must } from './faults/must.ts'

const REQUESTS = 1_000_000
const AT_ONCE = 50
/** Some of them are good after all and leave a report behind: a fresh database now and then keeps the disk empty. */
const PER_DATABASE = 50_000
const REPORTS = '/demo-lender/v1/credit-reports'

export const about = {
  title: 'Bad requests',
  text: 'Valid requests with one random fault in a field, the JSON, the bytes, a header, the method or the path. No answer may be a 5xx or show a stack trace; every refusal has a code and a message, and the books balance.',
  meanings: { 'answered 200': 'still valid' },
}

export type BadRequestsOptions = {
  scale: number
  /** Plays a run again. @default another one every time */
  seed?: number
}

export async function run({ scale, seed = Date.now() & 0x7fffffff }: BadRequestsOptions) {
  const random = createRandom(seed)
  const total = Math.max(AT_ONCE, Math.round(REQUESTS * scale))
  const statuses = new Map<number, number>()
  for (let sent = 0; sent < total; sent += PER_DATABASE) {
    await sendSome(Math.min(PER_DATABASE, total - sent), random, statuses, `seed ${seed}`)
  }
  const answers = [...statuses].sort().map(([status, count]) => [`answered ${status}`, count] as const)
  const counts: { [what: string]: number } = { requests: total, ...Object.fromEntries(answers) }
  return { ok: true, counts }
}

async function sendSome(count: number, random: Random, statuses: Map<number, number>, run: string): Promise<void> {
  const app = await createTestApp()
  let sent = 0
  try {
    const open = await openChallenge(app)
    const sender = async () => {
      while (sent < count) {
        sent += 1
        const request = badRequest(random, open)
        const which = `${run}, request ${sent}: ${request.method} ${request.url}`
        const response = await app.fetch(request)
        await mustBeDecent(response, which)
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sender))
    await booksMustBalance(app.database)
  } finally {
    await app.close()
  }
}

type OpenChallenge = { creditReportId: string; challengeId: string }

async function openChallenge(app: TestApp): Promise<OpenChallenge> {
  const { body } = await app.generate({ ...sampleRequest, challengeOptions: { status: 'challenge' } })
  return { creditReportId: body.data.creditReportId, challengeId: body.data.challenge.challengeId }
}

/** Sometimes nothing is wrong after all, which is fine too. */
function badRequest(random: Random, open: OpenChallenge): Request {
  const { path, body } = random.pick<() => { path: string; body: unknown }>([
    () => ({ path: REPORTS, body: generateBody(random) }),
    () => ({ path: REPORTS, body: generateBody(random) }),
    () => ({
      path: `${REPORTS}/${open.creditReportId}/otp-challenge`,
      body: { challengeId: open.challengeId, code: '000000' },
    }),
    () => ({ path: `${REPORTS}/${open.creditReportId}/resend-sms`, body: { challengeId: open.challengeId } }),
    () => ({ path: '/demo/clock', body: { advanceSeconds: 0 } }),
    () => ({
      path: `/demo-lender/v1/wallet/lines?limit=${spoilQuery(random)}&after=${spoilQuery(random)}`,
      body: null,
    }),
    () => ({ path: spoilPath(random), body: generateBody(random) }),
  ])()
  const method =
    random.below(40) === 0 ? random.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) : body === null ? 'GET' : 'POST'
  const text = JSON.stringify(random.below(3) === 0 ? body : spoil(body, random)) ?? ''
  const bytes = random.below(6) === 0 ? spoilText(text, random) : text
  return new Request(`http://service.test${path}`, {
    method,
    headers: headersOf(random),
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: bytes }),
  })
}

function generateBody(random: Random) {
  const lastName = random.pick(['Allow', 'Block', 'Example'])
  const isTest = random.below(2) === 0
  return { ...sampleRequest, lastName, test: isTest, sessionId: KNOWN_SESSION }
}

function headersOf(random: Random): { [name: string]: string } {
  const rarely = (value: string, others: readonly [string, ...string[]]) =>
    random.below(15) === 0 ? random.pick(others) : value
  const key =
    random.below(5) === 0 ? { 'Idempotency-Key': rarely(`key-${random.below(50)}`, ['a b', 'é', 'x'.repeat(300)]) } : {}
  return {
    Authorization: rarely('Bearer demo-lender', ['', 'Bearer', 'Bearer stranger', 'Basic x', 'Bearer demo-lender x']),
    'Content-Type': rarely('application/json', [
      'text/plain',
      'application/json; charset=latin1',
      'multipart/form-data',
      'x',
    ]),
    ...(random.below(30) === 0 ? { 'Content-Encoding': 'gzip' } : {}),
    ...(random.below(30) === 0 ? { 'X-Request-Id': 'x'.repeat(500) } : {}),
    ...key,
  }
}

function spoilQuery(random: Random): string {
  return random.pick(['', '0', '-1', '1e9', '%00', '%ff', '%F0%9F%98%80', 'x'.repeat(2_000), '10', "'--", '%'])
}

function spoilPath(random: Random): string {
  return random.pick([
    '/',
    '//',
    '/demo-lender',
    '/demo-lender/v1',
    '/demo-lender/v2/credit-reports',
    '/DEMO-LENDER/v1/credit-reports',
    '/demo-lender%00/v1/credit-reports',
    '/demo-lender/v1/credit-reports/',
    '/demo-lender/v1/credit-reports/%ff/otp-challenge',
    '/demo-lender/v1/credit-reports/..%2f..%2f/resend-sms',
    '/d%C3%A9mo-lender/v1/credit-reports',
    '/other-lender/v1/credit-reports',
    `/${'x'.repeat(2_000)}/v1/credit-reports`,
    '/v1/oauth/token',
    '/v1/fingerprints/device/sessions',
    '/demo-lender/v1/credit-reports/%zz/otp-challenge',
  ])
}

async function mustBeDecent(response: Response, which: string): Promise<void> {
  const text = await response.text()
  must(response.status < 500, `${which}: no request may be answered with ${response.status}`)
  must(!/\bat .*\.(?:ts|js):\d+/.test(text), `${which}: no answer may show a stack`)
  if (response.status < 400 || response.headers.get('Content-Type')?.startsWith('application/json') !== true) return
  if (text === '') return // to a HEAD
  const body: unknown = JSON.parse(text)
  const isError = typeof body === 'object' && body !== null && ('code' in body ? 'message' in body : 'error' in body)
  must(isError, `${which}: a refusal says code and message`)
}
