// Personal values that exist nowhere else are sent through every flow, and then looked for in everything that stays
// behind.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { GenerateRequest } from '../contract/generate.ts'
import { createTestApp, KNOWN_SESSION } from '../testing/test-app.ts'
import { createLog } from './log.ts'
import { ProviderUnavailable } from './providers/providers.ts'
import { createSimulatedBureau } from './providers/simulated/simulated.ts'
import { DATABASE_FILE } from './store/sqlite.ts'

const person = {
  firstName: 'Canaryfirst',
  lastName: 'Canarylast',
  middleName: 'Canarymiddle',
  title: 'Canarytitle',
  dateOfBirth: '1971-01-19',
  mobileNumber: '+447700900987',
  email: 'canary.mail@canary-host.example',
  ipAddress: '198.51.100.237',
}
const ukAddress = {
  subBuildingName: 'Canaryflat',
  buildingName: 'Canaryhouse',
  buildingNumber: '98123',
  thoroughfare: 'Canarystreet',
  district: 'Canarydistrict',
  townOrCity: 'Canarytown',
  county: 'Canarycounty',
  postcode: 'ZE3 9XP',
}
const secrets = { key: 'canary-idempotency-key', session: KNOWN_SESSION }
const canaries = [
  ...Object.values(person),
  ...Object.values(ukAddress),
  ...Object.values(secrets),
  'ze3 9xp',
  '7700900987',
]

function request(changes: object = {}): GenerateRequest {
  return {
    ...person,
    bureaus: ['equifax', 'experian', 'transunion'],
    searchType: 'pcp',
    sessionId: KNOWN_SESSION,
    addresses: [{ type: 'current', ukAddress }],
    ...changes,
  }
}

test('nothing personal and no code stays in logs, errors, metrics or database files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'canary-'))
  const logged: string[] = []
  const log = createLog({ level: 'debug', to: { write: (line: string) => void logged.push(line) }, strict: true })
  let isBureauDown = false
  const down = () => Promise.reject(new ProviderUnavailable('bureau', 'unreachable'))
  const bureau = createSimulatedBureau()
  const app = await createTestApp({
    dataDir: folder,
    log,
    providers: { bureau: { query: (...question) => (isBureauDown ? down() : bureau.query(...question)) } },
  })
  const key = { 'Idempotency-Key': secrets.key }
  const errors: string[] = []
  const codes: string[] = []
  const keepError = ({ status, body }: { status: number; body: unknown }) => {
    expect(status).toBeGreaterThanOrEqual(400)
    errors.push(JSON.stringify(body))
  }

  // Every way a report can go, live and in test mode.
  await app.generate(request({ lastName: 'Allow' }))
  await app.generate(request({ lastName: 'Block' }))
  const completed = (await app.generate(request(), key)).body.data
  await app.generate(request(), key)
  await app.resend(completed)
  codes.push(...(await app.codes(completed.creditReportId)))
  await app.submit(completed, 'wrong-canary-code')
  expect((await app.submit(completed, codes[0])).body.data.creditReport.person.lastName).toBe(person.lastName)
  const failing = (await app.generate(request())).body.data
  for (let index = 0; index < 3; index += 1) await app.submit(failing, 'no')
  const silent = (await app.generate(request())).body.data
  codes.push(...(await app.codes(failing.creditReportId)), ...(await app.codes(silent.creditReportId)))
  for (const status of ['allow', 'challenge', 'block']) {
    await app.generate(request({ test: true, challengeOptions: { status } }))
  }
  // And every way it can go wrong.
  isBureauDown = true
  keepError(await app.generate(request({ lastName: 'Allow' })))
  isBureauDown = false
  keepError(await app.generate(request({ firstName: 'Other' }), key))
  keepError(await app.generate(request({ mobileNumber: 'Canaryfirst' })))
  keepError(await app.generate(request({ dateOfBirth: '+447700900987' })))
  keepError(await app.generate(request({ addresses: [{ ukAddress: { ...ukAddress, postcode: 'Canarytown' } }] })))
  keepError(await app.generate(request({ firstName: 'Canaryfirst\0' })))
  keepError(await app.generate(request({ bureaus: ['Canarylast'] })))
  keepError(await app.generate([request()]))
  keepError(await app.generate(request(), { token: await app.newTenant(10) }))
  keepError(await app.call('/Canarylast/v1/credit-reports', request()))
  keepError(
    await app.call('/demo-lender/v1/credit-reports/Canarylast/otp-challenge', {
      challengeId: 'x',
      code: 'Canaryfirst',
    }),
  )
  keepError(await app.call('/Canarystreet?name=Canaryfirst'))
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  keepError(await app.submit(silent, codes.at(-1)))
  await app.sweeper.sweep()
  const metrics = await (await app.fetch(new Request('http://service.test/metrics'), loopback)).text()
  expect(metrics).toContain('crs_http_request_seconds')
  const inUse = readFiles(folder)
  await app.close()
  log.flush()

  expect(codes).toHaveLength(4)
  expect(logged.length).toBeGreaterThan(20)
  // While the service runs, the newest pages are in the write-ahead log.
  expect(inUse.map(({ name }) => name)).toContain(`${DATABASE_FILE}-wal`)
  const kept = [
    ...inUse,
    ...readFiles(folder),
    { name: 'the log', text: logged.join('') },
    { name: 'an error', text: errors.join('\n') },
    { name: 'the metrics', text: metrics },
  ]
  expect(kept.flatMap(({ name, text }) => findIn(name, text, codes))).toEqual([])
  rmSync(folder, { recursive: true, force: true })

  // The search itself works: what is not hidden is found.
  expect(findIn('a text', 'x canaryFIRST y', [])).toHaveLength(1)
  expect(findIn('a text', `{"code":"${codes[0]}"}`, codes)).toHaveLength(1)
})

function readFiles(folder: string): { name: string; text: string }[] {
  return readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name)).toString('latin1') }))
}

const loopback = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }

function findIn(name: string, text: string, codes: readonly string[]): string[] {
  const lower = text.toLowerCase()
  const values = canaries.filter((value) => lower.includes(value.toLowerCase()))
  // Six digits may occur inside an id by chance; on their own they are a code.
  const alone = codes.filter((code) => new RegExp(`(?<![\\w-])${code}(?![\\w-])`).test(text))
  return [...values, ...alone].map((value) => `${name} holds ${value}`)
}
