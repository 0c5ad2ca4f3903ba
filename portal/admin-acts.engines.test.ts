// A change by an operator's command and its line of the audit trail are one transaction.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchActs } from '../testing/acts.ts'
import { runTestAdmin } from '../testing/admin.ts'
import { environmentOf, onEachEngine } from '../testing/engines.ts'
import { startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import { liveRequest, TEST_SECRET_KEY, testRequest } from '../testing/test-app.ts'
import { everyCommand } from './commands.ts'
import { createUsers } from './identity/users.ts'

hashQuickly()

/** From what to what, in the line of what changes a value. */
const CHANGES: { [name: string]: object } = {
  'webhook resend': { from: 'parked', to: 'queued' },
  'client rename': { from: 'acme', to: 'Webshop' },
  'tenant bureaus': { from: { require_all_bureaus: 1 }, to: { require_all_bureaus: 0 } },
  'tenant sender': { from: { sms_sender: null }, to: { sms_sender: 'Acme' } },
  'top-up': { from: null, to: { credits: 1_000 } },
  'tenant rename': { from: { name: 'Acme' }, to: { name: 'Acme Loans' } },
  'tenant price': { from: { report_price_credits: null }, to: { report_price_credits: 700 } },
  'tenant retention': { from: { report_retention_days: null }, to: { report_retention_days: 2 } },
  'tenant suspend': { from: { suspended_reason: null }, to: { suspended_reason: 'unpaid' } },
  'tenant resume': { from: { suspended_reason: 'unpaid' }, to: { suspended_reason: null } },
  correct: { from: null, to: { credits: -10, reason: 'booked twice' } },
  'tenant low-balance': { from: null, to: 1_000 },
  'tenant second-factor': { from: false, to: true },
  'user role': { from: 'support', to: 'auditor' },
  'user leave': { from: 'auditor', to: null },
  caps: { to: { 'report-hour': 700 } },
  'hosted-page set': { from: { name: null }, to: { name: 'Acme Cars' } },
}

/** The action of a command in the trail. */
const actionOf = (name: string) => everyCommand.find((each) => each.name === name)?.action ?? `admin ${name}`

onEachEngine('commands', (place) => {
  let service: TestService
  let watched: ReturnType<typeof watchActs>
  let creditReportId: string

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    watched = watchActs(service, CHANGES)
    creditReportId = await generate(liveRequest())
  })
  afterAll(() => service.stop())

  /** Resolves to the id of the report. */
  async function generate(request: object): Promise<string> {
    return (await (await service.generate(request)).json()).data.creditReportId
  }
  const idFrom = async (sql: string) => String((await service.database.first<{ id: string }>(sql))?.id)
  const webhookId = 'SELECT id FROM webhook_endpoint'
  const admin = (words: readonly string[]) => {
    const { databaseUrl, dataDir } = service.config
    const where = databaseUrl === null ? { DATA_DIR: dataDir } : { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
    return runTestAdmin({ ...where, SECRET_KEY: TEST_SECRET_KEY }, words)
  }
  let isMade = false
  const commands: readonly [name: string, words: () => Promise<string[]>][] = [
    ['tenant create', async () => ['acme', '--name', 'Acme']],
    ['tenant bureaus', async () => ['acme', 'any']],
    ['tenant sender', async () => ['acme', 'Acme']],
    ['tenant low-balance', async () => ['acme', '1000']],
    ['tenant rename', async () => ['acme', '--name', 'Acme Loans']],
    ['tenant price', async () => ['acme', '--report', '700']],
    ['tenant retention', async () => ['acme', '2']],
    ['tenant suspend', async () => ['acme', '--reason', 'unpaid']],
    ['tenant resume', async () => ['acme']],
    ['tenant second-factor', async () => ['acme', 'required']],
    ['client create', async () => ['acme', '--id', 'acme', '--name', 'acme']],
    [
      'client end-secret',
      async () => {
        const secret = `SELECT SUBSTR(digest, 1, 8) AS id FROM api_client_secret WHERE client_id = 'acme'`
        return ['acme', 'acme', await idFrom(secret)]
      },
    ],
    ['client rename', async () => ['acme', 'acme', '--name', 'Webshop']],
    ['client replace-secret', async () => ['acme', 'acme']],
    ['client revoke', async () => ['acme', 'acme']],
    ['top-up', async () => ['acme', '1000', '--reference', 'invoice']],
    ['correct', async () => ['acme', '-10', '--reason', 'booked twice', '--reference', 'invoice']],
    ['caps', async () => ['acme', '--report-hour', '700']],
    ['webhook add', async () => ['acme', 'https://shop.example/webhook']],
    ['webhook rotate', async () => ['acme', await idFrom(webhookId)]],
    [
      'webhook resend',
      async () => {
        await service.database.run(
          `INSERT INTO webhook_delivery (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
           SELECT 'event-2', id, tenant_id, 'wallet.low', '{}', 'parked', 1, 1, 1 FROM webhook_endpoint WHERE 1 = 1
           ON CONFLICT DO NOTHING`,
        )
        return ['acme', 'event-2']
      },
    ],
    [
      'webhook resend-failed',
      async () => {
        await service.database.run(`UPDATE webhook_delivery SET attempts = 1, status = 'parked'`)
        return ['acme']
      },
    ],
    ['webhook remove', async () => ['acme', await idFrom(webhookId)]],
    ['erase', async () => [creditReportId]],
    [
      'person erase',
      async () => {
        if (!isMade) await generate(testRequest('allow'))
        isMade = true
        const { lastName, dateOfBirth, addresses } = liveRequest()
        const postcode = addresses[0]?.ukAddress?.postcode ?? ''
        return ['demo-lender', '--last-name', lastName, '--date-of-birth', dateOfBirth, '--postcode', postcode]
      },
    ],
    ['keys rotate', async () => []],
    ['backed-up', async () => []],
    ['hosted-page set', async () => ['acme', '--name', 'Acme Cars']],
    [
      'link revoke',
      async () => {
        await service.database.run(
          `INSERT INTO hosted_link (id, tenant_id, test, token_hash, created_at_ms, expires_at_ms)
           VALUES ('link-1', 'acme', 1, 'hash', 1, 2) ON CONFLICT DO NOTHING`,
        )
        return ['acme', 'link-1']
      },
    ],
    ['user invite', async () => ['acme', 'pat@acme.example']],
    ['invitation withdraw', async () => ['acme', await idFrom('SELECT id FROM one_time_link')]],
    [
      'user role',
      async () => {
        const { database } = service
        const person = {
          email: 'pat@acme.example',
          firstName: 'P',
          lastName: 'D',
          tenantIds: ['acme'],
          role: 'support',
        } as const
        await createUsers({ database, clock: () => service.time.nowMs }).create(database, person)
        return ['acme', 'pat@acme.example', 'auditor']
      },
    ],
    ['user leave', async () => ['acme', 'pat@acme.example']],
    ['user reset', async () => ['pat@acme.example']],
    ['user remove', async () => ['pat@acme.example', '--even-last-owner']],
  ]

  test.each(commands)('admin %s', async (name, wordsOf) => {
    await wordsOf()
    const attempt = async () => admin([...name.split(' '), ...(await wordsOf())])
    const { broken, whole } = await watched.withAndWithout(attempt)
    expect(broken.exitCode).toBe(1)
    expect(whole.exitCode).toBe(0)
    expect(await watched.lastLine()).toMatchObject({ action: actionOf(name), outcome: 'done' })
    await watched.expectChange(name)
  })

  test('these are all the commands there are', () => {
    const operators = everyCommand.filter(({ role }) => role === 'operator').map((command) => command.name)
    // Too many steps for a line each: one says that it began.
    expect([...commands.map(([name]) => name), 'keys rewrap'].sort()).toEqual(operators.sort())
  })
})
