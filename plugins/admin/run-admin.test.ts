import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyCommand } from '../../portal/commands.ts'
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
  test('a new lender has spend caps', async () => {
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

  test('who copies everything leaves a line first', async () => {
    const file = join(folder, 'copy.db')
    expect((await admin('backup', file)).exitCode).toBe(0)
    const { printed } = await admin('audit', '--limit', '1', '--json')
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ action: 'admin backup', object: file, outcome: 'begun' })
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
