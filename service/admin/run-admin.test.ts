import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_COMMANDS, runTestAdmin } from '../../testing/admin.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY, type TestApp, testRequest } from '../../testing/test-app.ts'
import { DATABASE_FILE } from '../store/sqlite.ts'
import { createClients } from '../tokens/clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'admin-'))
const environment = { DATA_DIR: folder, SECRET_KEY: TEST_SECRET_KEY }

const admin = (...words: string[]) => runTestAdmin(environment, words)

let app: TestApp
beforeAll(async () => {
  const tooEarly = await admin('reconcile')
  expect(tooEarly).toMatchObject({ exitCode: 2, complaints: [expect.stringContaining('there is no database')] })
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

    const client = await admin('client', 'create', 'new-lender')
    const secret = client.printed.map((line) => /^client secret {2}(.+)$/.exec(line)?.[1]).find(Boolean) ?? ''
    const clients = createClients({ database: app.database, clock: Date.now })
    expect(await clients.verify('new-lender', secret)).toMatchObject({ tenantId: 'new-lender' })

    const paid = await admin('top-up', 'new-lender', '1000', '--reference', 'invoice-1')
    expect(paid.printed).toEqual(['added 1000 credits (£1.00)', 'balance 1000 credits (£1.00)'])
    const again = await admin('top-up', 'new-lender', '1000', '--reference', 'invoice-1')
    expect(again).toMatchObject({
      exitCode: 0,
      printed: ['"invoice-1" was booked before: nothing added', 'balance 1000 credits (£1.00)'],
    })
    const other = await admin('top-up', 'new-lender', '5000', '--reference', 'invoice-1')
    expect(other).toMatchObject({
      exitCode: 1,
      printed: ['"invoice-1" was booked before, for 1000 credits: nothing added', 'balance 1000 credits (£1.00)'],
    })

    const report = await app.generate(liveRequest('Allow'), { token: 'new-lender' })
    expect(report.body.meta.wallet).toEqual({ balance: 300, cost: 700 })
    const ledger = await admin('ledger', 'new-lender')
    expect(ledger.printed.map((line) => line.split(/\s+/).slice(1, 4).join(' '))).toEqual([
      'capture report 700',
      'hold report 700',
      'top-up top-up 1000',
      '300 credits',
    ])
    expect((await admin('tenant', 'list')).printed).toContain('new-lender  300 credits, 0 held  New Lender')
  })

  test('a new lender has spend caps, which can be changed and lifted', async () => {
    await admin('tenant', 'create', 'capped-lender', '--name', 'Capped')
    expect((await admin('caps', 'capped-lender')).printed).toEqual([
      'report per hour  0 of 100000 credits',
      'report per day  0 of 500000 credits',
      'sms per hour  0 of 8000 credits',
      'sms per day  0 of 40000 credits',
      'requests per minute  600 (the installation’s)',
    ])
    const changed = await admin(
      'caps',
      'capped-lender',
      '--report-hour',
      '700',
      '--sms-day',
      'none',
      '--requests-per-minute',
      '5',
    )
    expect(changed.printed).toContain('report per hour  0 of 700 credits')
    expect(changed.printed).toContain('report per day  0 of 500000 credits')
    expect(changed.printed).toContain('sms per day  0 of any number of credits')
    expect(changed.printed).toContain('requests per minute  5')
    await admin('top-up', 'capped-lender', '5000', '--reference', 'x')
    const statuses = []
    for (let ask = 0; ask < 2; ask += 1) {
      statuses.push((await app.generate(liveRequest('Allow'), { token: 'capped-lender' })).status)
    }
    expect(statuses).toEqual([200, 429])
    expect((await admin('caps', 'capped-lender', '--report-hour', 'much')).exitCode).toBe(2)
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
    await admin('tenant', 'bureaus', 'demo-lender', 'all')
    await admin('tenant', 'bureaus', 'demo-lender', 'some')
    const { printed } = await admin('audit', '--tenant', 'demo-lender', '--limit', '2', '--json')
    const events = printed.map((line) => JSON.parse(line))
    expect(events.map(({ action, object, outcome }) => [action, object, outcome])).toEqual([
      ['admin tenant bureaus', 'demo-lender some', 'failed'],
      ['admin tenant bureaus', 'demo-lender all', 'done'],
    ])
    expect(events[0]).toMatchObject({ actorKind: 'operator', actorId: expect.any(String) })
  })

  test('choose whether a lender’s reports need every bureau', async () => {
    const needsAll = async () =>
      (await app.database.first(`SELECT require_all_bureaus AS all_of_them FROM tenant WHERE id = 'other-lender'`))
        ?.all_of_them
    const { printed } = await admin('tenant', 'bureaus', 'other-lender', 'any')
    expect(printed).toEqual(['reports of other-lender need at least one bureau'])
    expect(await needsAll()).toBe(0)
    await admin('tenant', 'bureaus', 'other-lender', 'all')
    expect(await needsAll()).toBe(1)
  })

  test('find reports by the lender’s own reference', async () => {
    const request = { ...liveRequest('Allow'), externalReference: 'order 77' }
    const { body } = await app.generate(request, { token: 'other-lender' })
    const found = await admin('report', 'find', 'other-lender', '--reference', 'order 77')
    expect(found).toMatchObject({ exitCode: 0 })
    expect(found.printed).toEqual([expect.stringContaining(`live  complete`)])
    expect(found.printed[0]).toMatch(new RegExp(`${body.data.creditReportId}  order 77$`))
    expect((await admin('report', 'find', 'other-lender', '--reference', 'none')).exitCode).toBe(1)
    expect((await admin('ledger', 'other-lender')).printed.join()).toContain('order 77')
  })

  test('add, list, rotate, resend and remove webhooks', async () => {
    const added = await admin('webhook', 'add', 'other-lender', 'https://shop.example/webhook')
    const [, id = ''] = /^webhook {2}(we-\w+)$/.exec(added.printed[0] ?? '') ?? []
    expect(added.printed[1]).toMatch(/^secret {3}whsec_/)
    await app.generate(liveRequest('Block'), { token: 'other-lender' })
    const [endpoint, event = ''] = (await admin('webhook', 'list', 'other-lender')).printed
    expect(endpoint).toBe(`${id}  https://shop.example/webhook`)
    expect(event).toContain('queued      0×  credit-report.blocked')
    expect((await admin('webhook', 'list', 'other-lender', '--parked')).printed).toHaveLength(1)
    const eventId = event.split(/\s+/)[4] ?? ''
    expect((await admin('webhook', 'resend', 'other-lender', eventId)).printed).toEqual(['1 to be sent again'])
    expect((await admin('webhook', 'resend', 'demo-lender', eventId)).exitCode).toBe(1)
    const rotated = await admin('webhook', 'rotate', 'other-lender', id)
    expect(rotated.printed[0]).toMatch(/^secret {3}whsec_/)
    expect(rotated.printed[0]).not.toBe(added.printed[1])
    expect((await admin('webhook', 'remove', 'demo-lender', id)).exitCode).toBe(2)
    expect((await admin('webhook', 'remove', 'other-lender', id)).printed).toEqual([`webhook ${id} removed`])
    expect((await admin('webhook', 'list', 'other-lender')).printed).toEqual([])
  })

  test('tell a lender below so many credits', async () => {
    const { printed } = await admin('tenant', 'low-balance', 'other-lender', '5000')
    expect(printed).toEqual(['other-lender is told below 5000 credits'])
    expect((await admin('tenant', 'low-balance', 'other-lender', 'off')).exitCode).toBe(0)
  })

  test('reconcile says what it counted, and that all is well', async () => {
    const { exitCode, printed } = await admin('reconcile')
    expect(exitCode).toBe(0)
    expect(printed[0]).toMatch(/^\d+ wallets, \d+ lines, \d+ reports, \d+ texts, \d+ credits held$/)
    expect(printed.slice(1).every((line) => line.startsWith('ok '))).toBe(true)
  })

  test('reconcile names what is wrong, with exit code 1', async () => {
    await app.database.run(`UPDATE wallet SET balance_credits = 7 WHERE tenant_id = 'empty-lender'`)
    const { exitCode, printed } = await admin('reconcile')
    expect(exitCode).toBe(1)
    expect(printed.join('\n')).toContain('BROKEN  every balance is the sum of its lines: 1\n          empty-lender')
    await app.database.run(`UPDATE wallet SET balance_credits = 0 WHERE tenant_id = 'empty-lender'`)
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
    for (const { name, summary } of ALL_COMMANDS) {
      expect(printed.join('\n')).toContain(name)
      expect(printed.join('\n')).toContain(summary)
    }
  })

  test('help after a command tells of that one, and does nothing', async () => {
    const { exitCode, printed } = await admin('tenant', 'create', 'some-lender', '--help')
    expect(exitCode).toBe(0)
    expect(printed[0]).toMatch(/^usage: admin tenant create ID --name NAME/)
    expect((await admin('tenant', 'list')).printed.join('\n')).not.toContain('some-lender')
  })

  test('a database that nobody serves is named by its setting', async () => {
    const elsewhere = { ...environment, DATABASE_URL: 'postgres://127.0.0.1:1/reports' }
    const { exitCode, complaints } = await runTestAdmin(elsewhere, ['tenant', 'list'])
    expect(exitCode).toBe(2)
    expect(complaints).toEqual(['DATABASE_URL: no PostgreSQL answers there (ECONNREFUSED)'])
  })

  test.each([
    ['an unknown command', ['tenant', 'destroy'], 'there is no command "tenant destroy"'],
    ['a missing id', ['tenant', 'create'], 'the tenant’s id is missing'],
    ['a bad id', ['tenant', 'create', 'Bad/Id', '--name', 'x'], 'an id has 3 to 40'],
    ['a missing name', ['tenant', 'create', 'some-lender'], '--name is missing'],
    [
      'a tenant that exists',
      ['tenant', 'create', 'demo-lender', '--name', 'x'],
      'there is a tenant "demo-lender" already',
    ],
    ['a bad price', ['tenant', 'create', 'abc', '--name', 'x', '--sms-price', '-1'], 'ambiguous'],
    ['a bad host', ['tenant', 'create', 'abc', '--name', 'x', '--checkout-host', 'a/b'], '--checkout-host must be'],
    ['a bad choice of bureaus', ['tenant', 'bureaus', 'demo-lender', 'some'], 'expected "all" or "any", got "some"'],
    ['an unknown option', ['reconcile', '--fast'], "Unknown option '--fast'"],
    ['a word too many', ['tenant', 'create', 'abc', 'def', '--name', 'x'], '"def" is one word too many'],
    ['an unknown tenant', ['top-up', 'nobody', '10'], 'there is no tenant "nobody"'],
    ['no credits', ['top-up', 'demo-lender', '0'], 'the amount must be a whole number of credits from 1'],
    ['half a credit', ['top-up', 'demo-lender', '1.5'], 'the amount must be a whole number of credits from 1'],
    ['a reference that is empty', ['top-up', 'demo-lender', '5', '--reference', ' '], '--reference must not be empty'],
    ['a wallet to reconcile', ['reconcile', 'demo-lender'], '"demo-lender" is one word too many'],
    ['a tenant to list', ['tenant', 'list', 'demo-lender'], '"demo-lender" is one word too many'],
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
})
