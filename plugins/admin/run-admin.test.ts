import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyCommand } from '../../portal/commands.ts'
import { DATABASE_FILE } from '../../service/store/sqlite.ts'
import { createClients } from '../../service/tokens/clients.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp, testRequest } from '../../testing/test-app.ts'

const folder = mkdtempSync(join(tmpdir(), 'admin-'))
const environment = { DATA_DIR: folder, SECRET_KEY: TEST_SECRET_KEY }

const admin = (...words: string[]) => runTestAdmin(environment, words)

let app: TestApp
beforeAll(async () => {
  const tooEarly = await admin('reconcile')
  expect(tooEarly).toMatchObject({ exitCode: 1, complaints: [expect.stringContaining('there is no database')] })
  // Every command below runs beside this service, which owns the folder.
  app = await createTestApp({ dataDir: folder })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('what an operator can do beside a running service', () => {
  test('create a tenant and its client, top it up and read its ledger', async () => {
    const created = await admin('tenant', 'create', 'new-lender', '--name', 'New Lender', '--report-price', '700')
    expect(created).toMatchObject({ exitCode: 0, printed: ['tenant new-lender created'] })

    const client = await admin('client', 'create', 'new-lender', '--id', 'new-lender', '--name', 'Shop')
    const secret = client.printed.map((line) => /^client secret {2}(.+)$/.exec(line)?.[1]).find(Boolean) ?? ''
    const clients = createClients({ database: app.database, clock: Date.now })
    expect(await clients.verify('new-lender', secret)).toMatchObject({ tenantId: 'new-lender' })

    const named = await admin('client', 'rename', 'new-lender', 'new-lender', '--name', 'Webshop')
    expect(named.printed).toEqual(['client id  new-lender', 'name       Webshop'])
    const replaced = await admin('client', 'replace-secret', 'new-lender', 'new-lender', '--overlap-hours', '0')
    const next = replaced.printed.map((line) => /^client secret {2}(.+)$/.exec(line)?.[1]).find(Boolean) ?? ''
    expect(await clients.verify('new-lender', secret)).toBeNull()
    expect(await clients.verify('new-lender', next)).toMatchObject({ tenantId: 'new-lender' })
    expect((await admin('client', 'list', 'new-lender', '--json')).printed.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ client: 'new-lender', name: 'Webshop', until: null, used: expect.any(String) }),
    ])
    for (const words of [
      ['rename', 'new-lender', 'new-lender', '--name', 'x\u202ey'],
      ['rename', 'new-lender', 'new-lender', '--name', 'x'.repeat(61)],
      ['replace-secret', 'new-lender', 'new-lender', '--overlap-hours', '169'],
    ])
      expect((await admin('client', ...words)).exitCode).toBe(2)
    for (const words of [
      ['rename', 'new-lender', 'none', '--name', 'x'],
      ['replace-secret', 'new-lender', 'none'],
    ])
      expect((await admin('client', ...words)).exitCode).toBe(1)

    const paid = await admin('top-up', 'new-lender', '1000', '--reference', 'invoice-1')
    expect(paid.printed).toEqual(['added    1000 credits (£1.00)', 'balance  1000 credits (£1.00)'])
    const report = await app.generate(liveRequest('Allow'), { token: 'new-lender' })
    expect(report.body.meta.wallet).toEqual({ balance: 300, cost: 700 })
    const ledger = await admin('ledger', 'new-lender')
    expect(ledger.printed.map((line) => line.split(/\s+/).slice(1, 4).join(' '))).toEqual([
      'kind purpose credits',
      'capture report 700',
      'hold report 700',
      'top-up top-up 1000',
      '300 credits',
    ])
    const listed = (await admin('tenant', 'list', '--json')).printed.map((line) => JSON.parse(line))
    const tenant = { id: 'new-lender', balanceCredits: 300, heldCredits: 0, suspendedAt: null, name: 'New Lender' }
    expect(listed).toContainEqual(tenant)
  })

  test('a new lender has spend caps, which can be changed and lifted', async () => {
    await admin('tenant', 'create', 'capped-lender', '--name', 'Capped')
    const capsOf = async () => (await admin('caps', 'capped-lender')).printed.map((line) => line.split(/ {2,}/))
    expect(await capsOf()).toEqual([
      ['requests per minute', '600'],
      ['purpose', 'period', 'capCredits', 'spentCredits'],
      ['report', 'hour', '100000', '0'],
      ['report', 'day', '500000', '0'],
      ['text', 'hour', '8000', '0'],
      ['text', 'day', '40000', '0'],
    ])
    await admin('caps', 'capped-lender', '--report-hour', '700', '--text-day', 'none', '--requests-per-minute', '5')
    expect((await capsOf()).map((cells) => cells[2])).toEqual([undefined, 'capCredits', '700', '500000', '8000', '-'])
    await admin('top-up', 'capped-lender', '5000', '--reference', 'x')
    const statuses = []
    for (let ask = 0; ask < 2; ask += 1) {
      statuses.push((await app.generate(liveRequest('Allow'), { token: 'capped-lender' })).status)
    }
    expect(statuses).toEqual([200, 429])
    expect((await admin('caps', 'capped-lender', '--report-hour', 'much')).exitCode).toBe(2)
  })

  test('suspend a lender: no new checks, open ones finish, what was bought can be read', async () => {
    const id = await app.newTenant(5_000)
    const key = { token: id, 'Idempotency-Key': 'before' }
    const open = (await app.generate(liveRequest(), { token: id })).body.data
    const paid = await app.generate(liveRequest('Allow'), key)
    await admin('tenant', 'suspend', id, '--reason', 'unpaid invoices')
    for (const request of [liveRequest('Allow'), liveRequest(), testRequest('allow')]) {
      const refused = await app.generate(request, { token: id })
      expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(refused.body.message).toContain('is suspended')
    }
    expect((await app.generate(liveRequest('Allow'), key)).body.data).toEqual(paid.body.data)
    expect((await app.resend(open, { token: id })).status).toBe(200)
    const [, code] = await app.codes(open.creditReportId)
    expect((await app.submit(open, code, { token: id })).body.data.status).toBe('complete')
    expect((await app.call(`/${id}/v1/credit-reports/${open.creditReportId}`, undefined, { token: id })).status).toBe(
      200,
    )
    expect((await admin('tenant', 'resume', id)).printed).toEqual(['done'])
    expect((await app.generate(liveRequest('Allow'), { token: id })).status).toBe(200)
    expect((await admin('reconcile')).exitCode).toBe(0)
  })

  test.each([
    ['a terminal’s escape', 'Evil\u001b[2J'],
    ['a change of direction', 'Evil\u202erednel'],
    ['spaces', '  '],
    ['a book', 'x'.repeat(101)],
  ])('a lender’s name that is %s is refused', async (_what, name) => {
    expect((await admin('tenant', 'create', 'evil-lender', '--name', name)).exitCode).toBe(2)
    expect((await admin('tenant', 'list')).printed.join('\n')).not.toContain('evil-lender')
  })

  test('who copies everything leaves a line first', async () => {
    const file = join(folder, 'copy.db')
    expect((await admin('backup', file)).exitCode).toBe(0)
    const { printed } = await admin('audit', '--limit', '1', '--json')
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ action: 'admin backup', object: file, outcome: 'begun' })
  })

  test('what operators do is in the audit trail, and can be exported', async () => {
    await admin('tenant', 'bureaus', 'demo-lender', 'any')
    await admin('tenant', 'bureaus', 'demo-lender', 'some')
    const { printed } = await admin('audit', '--tenant', 'demo-lender', '--limit', '2', '--json')
    const events = printed.map((line) => JSON.parse(line))
    expect(events.map(({ action, object, outcome }) => [action, object, outcome])).toEqual([
      ['admin tenant bureaus', 'demo-lender some', 'failed'],
      ['admin tenant bureaus', 'demo-lender any', 'done'],
    ])
    expect(events[0]).toMatchObject({ actorKind: 'operator', actorId: expect.any(String) })
  })

  test('erasing a report makes it unreadable and keeps the books', async () => {
    const { body } = await app.generate(testRequest('challenge'))
    const { creditReportId } = body.data
    const row = await app.database.first('SELECT content FROM sealed_report WHERE report_id = ?', creditReportId)
    const needle = Buffer.from(row?.content as Uint8Array).subarray(0, 64)
    expect(await admin('erase', creditReportId)).toMatchObject({ exitCode: 0, printed: [`erased ${creditReportId}`] })
    expect(await app.submit(body.data, '123456')).toMatchObject({ status: 410, body: { code: 'challenge-expired' } })
    for (const file of [DATABASE_FILE, `${DATABASE_FILE}-wal`]) {
      expect(readFileSync(join(folder, file)).includes(needle)).toBe(false)
    }
    expect(await admin('erase', creditReportId)).toMatchObject({
      exitCode: 1,
      printed: [`nothing to erase: ${creditReportId}`],
    })
    expect((await admin('reconcile')).exitCode).toBe(0)
  })
})

describe('what it says when it cannot', () => {
  test('help lists every command', async () => {
    const { exitCode, printed } = await admin('--help')
    expect(exitCode).toBe(0)
    for (const { name, summary } of everyCommand) {
      expect(printed.join('\n')).toContain(name)
      expect(printed.join('\n')).toContain(summary)
    }
  })

  test('a database that does not answer is named by its setting', async () => {
    const elsewhere = { ...environment, DATABASE_URL: 'postgres://127.0.0.1:1/reports' }
    const { exitCode, complaints } = await runTestAdmin(elsewhere, ['tenant', 'list'])
    expect(exitCode).toBe(1)
    expect(complaints).toEqual(['DATABASE_URL: no PostgreSQL answers there (ECONNREFUSED)'])
  })

  test('a list shows what a name from before hides', async () => {
    await app.database.run(`UPDATE tenant SET name = ? WHERE id = 'empty-lender'`, 'Bank\u001b[2J\u202eknaB')
    const { printed } = await admin('tenant', 'list')
    expect(printed.join('\n')).toContain('Bank\\u{1b}[2J\\u{202e}knaB')
  })

  test.each([
    ['a missing id', ['tenant', 'create'], 'the tenant’s id is missing'],
    ['a bad id', ['tenant', 'create', 'Bad/Id', '--name', 'x'], 'an id has 3 to 40'],
    ['a missing name', ['tenant', 'create', 'some-lender'], '--name is required'],
    [
      'a name that moves the cursor',
      ['tenant', 'create', 'abc', '--name', 'A\u001b[2J'],
      '--name must not contain control',
    ],
    ['a reason in two lines', ['tenant', 'suspend', 'demo-lender', '--reason', 'a\nb'], '--reason must not contain'],
    [
      'a price below 0',
      ['tenant', 'create', 'abc', '--name', 'x', '--text-price', '-1'],
      '--text-price must be at least 0',
    ],
    [
      'a variable of a script that is not set',
      ['caps', 'demo-lender', '--report-hour', ''],
      '--report-hour must not be empty',
    ],
    ['a limit of nothing', ['ledger', 'demo-lender', '--limit', '0'], '--limit must be a whole number from 1'],
    ['an unknown option', ['reconcile', '--fast'], "Unknown option '--fast'"],
    ['a word too many', ['tenant', 'create', 'abc', 'def', '--name', 'x'], '"def" is one word too many'],
    [
      'a webhook with a password',
      ['webhook', 'add', 'demo-lender', 'https://a:b@shop.example'],
      'must not contain a user name or password',
    ],
    ['a webhook to a neighbour', ['webhook', 'add', 'demo-lender', 'https://10.0.0.1'], 'on the public internet'],
    ['nothing to erase', ['erase'], 'the id of a credit report is missing'],
  ])('%s: exit code 2 and a line that says so', async (_what, words, complaint) => {
    const { exitCode, complaints } = await admin(...words)
    expect(exitCode).toBe(2)
    expect(complaints[0]).toContain(complaint)
    expect(complaints.join('\n')).toContain('usage: admin ')
  })

  test.each([
    [
      ['tenant', 'create', 'demo-lender', '--name', 'x'],
      'there is a tenant "demo-lender" already; it was left as it is',
    ],
    [['top-up', 'no-one', '10'], 'there is no tenant "no-one"'],
  ])('%j: exit code 1 and one line', async (words, complaint) => {
    expect(await admin(...words)).toMatchObject({ exitCode: 1, complaints: [complaint] })
  })
})
