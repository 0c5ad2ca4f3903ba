import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealedTables } from '../../plugins/commands.ts'
import { derivePortalKeys } from '../../portal/derive-keys.ts'
import { createGuesses } from '../../portal/identity/guesses.ts'
import { createSecondFactor } from '../../portal/identity/second-factor.ts'
import { createDeviceSessions } from '../../service/devices/sessions.ts'
import { deriveKeys } from '../../service/keys.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../../testing/test-app.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { addEndpoint, openEndpoint } from '../webhooks/endpoints.ts'
import { REWRAP_ROWS_MAX, rewrapTable } from './rewrap.ts'

const OLD = 'the old key '.repeat(3)
const NEW = 'the new key '.repeat(3)

describe.each(['sqlite', 'postgres'])('replacing SECRET_KEY on %s', (engine) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rewrap-'))
  let postgres: ThrowawayPostgres | undefined
  let place: { DATA_DIR: string; DATABASE_URL?: string }
  let app: TestApp

  async function restart(secretKey: string) {
    await app?.close()
    const { DATABASE_URL: databaseUrl } = place
    app = await createTestApp({
      dataDir,
      environment: { SECRET_KEY: secretKey },
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
    })
  }
  const admin = (secretKey: string, ...words: string[]) => runTestAdmin({ ...place, SECRET_KEY: secretKey }, words)
  const keys = () => deriveKeys(app.config.secretKeys)
  const secondFactor = () => {
    const { database } = app
    const clock = () => app.time.nowMs
    const guesses = createGuesses({ database, clock })
    const { totp } = derivePortalKeys(keys().signing)
    return createSecondFactor({ database, clock, keys: totp, guesses, issuer: 'https://a.example' })
  }
  const devices = () =>
    createDeviceSessions({ database: app.database, secretKeys: app.config.secretKeys, clock: () => app.time.nowMs })

  beforeAll(async () => {
    if (engine === 'postgres') postgres = await startThrowawayPostgres()
    const url = await postgres?.createDatabase()
    place = { DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) }
    await restart(OLD)
  })
  afterAll(async () => {
    await app.close()
    await postgres?.stop()
    rmSync(dataDir, { recursive: true })
  })

  test('nothing in progress notices, and afterwards the old key opens nothing', async () => {
    const { body: asked } = await app.generate(testRequest('allow'), { 'Idempotency-Key': 'order-1' })
    const report = `/demo-lender/v1/credit-reports/${asked.data.creditReportId}`
    const { body: challenged } = await app.generate(liveRequest())
    const [typed] = await app.codes(challenged.data.creditReportId)
    const webhook = await addEndpoint(app.database, keys().webhooks, {
      tenantId: 'demo-lender',
      url: 'https://shop.example/webhook',
      nowMs: app.time.nowMs,
    })
    const sam = { id: await idOfSam(app), email: 'sam@demo-lender.example' }
    const enrolment = await secondFactor().begin(app.database, sam)
    const epoch = Math.floor(app.time.nowMs / 1000)
    const code = generateSync({ secret: enrolment?.secret ?? '', epoch })
    const confirmed = await secondFactor().confirm(app.database, { userId: sam.id, sessionId: '', code })
    const [recoveryCode = ''] = 'recoveryCodes' in confirmed ? confirmed.recoveryCodes : []
    const sessionId = await devices().open({ body: null, headers: new Headers(), address: null })

    await restart(`${NEW},${OLD}`)
    expect((await app.call(report)).status).toBe(200)
    // The same request, answered again and not charged again.
    const again = await app.generate(testRequest('allow'), { 'Idempotency-Key': 'order-1' })
    expect([again.headers.get('Idempotent-Replayed'), again.body.data.creditReportId]).toEqual([
      'true',
      asked.data.creditReportId,
    ])
    expect((await app.generate(testRequest('block'), { 'Idempotency-Key': 'order-1' })).status).toBe(400)
    expect((await app.submit(challenged.data, typed)).body.data.status).toBe('complete')
    const { lastName, dateOfBirth, ipAddress } = liveRequest()
    const use = { tenantId: 'demo-lender', sessionId, consumer: { lastName, dateOfBirth, ipAddress } }
    expect(await devices().claim(use)).not.toBeNull()

    // The challenged report was sealed anew when it was finished, under the first key.
    expect((await admin(`${NEW},${OLD}`, 'keys', 'list')).printed).toEqual([
      expect.stringMatching(/^place +key +role +holds$/),
      expect.stringMatching(/^1 +\w{8} +seals +0 signing keys, 1 reports, 0 kept answers, 0 webhook secrets/),
      expect.stringMatching(
        /^2 +\w{8} +opens +1 signing keys, 1 reports, 0 kept answers, 1 webhook secrets, 0 known applicants of links, 1 authent/,
      ),
    ])
    const { exitCode, printed } = await admin(`${NEW},${OLD}`, 'keys', 'rewrap')
    expect(exitCode).toBe(0)
    expect(printed).toContain('reports: 1 of 1')
    expect(printed.at(-1)).toMatch(
      /^2 +\w{8} +opens +0 signing keys, 0 reports, 0 kept answers, 0 webhook secrets, 0 known applicants of links, 0 auth/,
    )

    await restart(NEW)
    expect((await app.call(report)).status).toBe(200)
    expect(
      (await openEndpoint(app.database, keys().webhooks, { id: webhook?.id ?? '', nowMs: Date.now() }))?.secrets,
    ).toEqual([webhook?.secret])
    expect(await secondFactor().check(sam.id, recoveryCode, 'session')).toEqual({ outcome: 'right' })
    const { exitCode: refused, printed: said } = await admin(OLD, 'keys', 'rewrap')
    expect([refused, said[0]]).toEqual([1, 'signing keys: 1 are under a key that is not in SECRET_KEY'])
    expect((await admin(OLD, 'keys', 'list')).printed.at(-1)).toMatch(/not in SECRET_KEY {2}1 signing keys/)
  })

  test('many rows take many steps, and one that was interrupted goes on where it stopped', async () => {
    const count = REWRAP_ROWS_MAX + 50
    for (let made = 0; made < count; made += 1) await app.generate(testRequest('allow'))
    await restart(`${OLD},${NEW}`)
    const reports = sealedTables.filter(({ table }) => table === 'sealed_report')
    const steps: number[] = []
    const interrupted = rewrapTable(app.database, reports[0] ?? fail(), {
      secretKeys: app.config.secretKeys,
      onStep(done) {
        steps.push(done)
        throw new Error('the process died')
      },
    })
    await expect(interrupted).rejects.toThrow('the process died')
    expect(steps).toEqual([REWRAP_ROWS_MAX])
    const { exitCode, printed } = await admin(`${OLD},${NEW}`, 'keys', 'rewrap')
    expect(exitCode).toBe(0)
    // The two of the first test are among them.
    expect(printed).toContain('reports: 52 of 52')
  })
})

async function idOfSam({ database }: TestApp): Promise<string> {
  return String((await database.first(`SELECT id FROM user_account WHERE email = 'sam@demo-lender.example'`))?.id)
}

function fail(): never {
  throw new Error('no such table')
}
