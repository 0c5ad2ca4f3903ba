import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shortReference, spacedReference } from '../../contract/short-reference.ts'
import type { WalletLines } from '../../contract/wallet.ts'
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
      ['sms', 'hour', '8000', '0'],
      ['sms', 'day', '40000', '0'],
    ])
    await admin('caps', 'capped-lender', '--report-hour', '700', '--sms-day', 'none', '--requests-per-minute', '5')
    expect((await capsOf()).map((cells) => cells[2])).toEqual([undefined, 'capCredits', '700', '500000', '8000', '-'])
    await admin('top-up', 'capped-lender', '5000', '--reference', 'x')
    const statuses = []
    for (let ask = 0; ask < 2; ask += 1) {
      statuses.push((await app.generate(liveRequest('Allow'), { token: 'capped-lender' })).status)
    }
    expect(statuses).toEqual([200, 429])
    expect((await admin('caps', 'capped-lender', '--report-hour', 'much')).exitCode).toBe(2)
  })

  test('change a lender’s name, site and prices, and see what they are', async () => {
    const id = await app.newTenant(5_000)
    const show = async () => JSON.parse((await admin('tenant', 'show', id, '--json')).printed[0] ?? '')
    expect(await show()).toMatchObject({ name: 'Tenant', checkoutHost: null, reportPriceCredits: 500 })
    await admin('tenant', 'rename', id, '--name', '  Zoë & Söhne ', '--checkout-host', 'shop.example')
    expect((await admin('tenant', 'price', id, '--report', '700')).printed).toEqual([
      'a report costs 700 credits, a text 40',
    ])
    expect(await show()).toMatchObject({ name: 'Zoë & Söhne', checkoutHost: 'shop.example', reportPriceCredits: 700 })
    expect((await app.generate(liveRequest('Allow'), { token: id })).body.meta.wallet.cost).toBe(700)
    await admin('tenant', 'price', id, '--report', 'default')
    await admin('tenant', 'rename', id, '--checkout-host', 'none')
    expect(await show()).toMatchObject({ name: 'Zoë & Söhne', checkoutHost: null, reportPriceCredits: 500 })
    expect((await admin('tenant', 'show', id)).printed[0]).toMatch(/^setting +value$/)
    const [changed] = (await admin('audit', '--tenant', id, '--limit', '1', '--json')).printed
    expect(JSON.parse(changed ?? '').change).toEqual({
      from: { checkout_host: 'shop.example' },
      to: { checkout_host: null },
    })
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
    expect((await admin('tenant', 'resume', id)).printed).toEqual([`tenant ${id} is active`])
    expect((await app.generate(liveRequest('Allow'), { token: id })).status).toBe(200)
    expect((await admin('reconcile')).exitCode).toBe(0)
  })

  test('put a mistake right with a line of its own, once, and never below nothing', async () => {
    const id = await app.newTenant(5_000)
    const correct = (...words: string[]) => admin('correct', id, ...words)
    const taken = await correct('-4000', '--reason', 'a nought too many', '--reference', 'ticket-1')
    expect(taken).toMatchObject({
      exitCode: 0,
      printed: ['booked -4000 credits: a nought too many', 'balance 1000 credits'],
    })
    expect((await correct('-4000', '--reason', 'again', '--reference', 'ticket-1')).printed).toEqual([
      '"ticket-1" was booked before: nothing changed',
      'balance 1000 credits',
    ])
    expect((await correct('-1001', '--reason', 'too much')).exitCode).toBe(1)
    expect((await correct('+250', '--reason', 'goodwill')).printed[1]).toBe('balance 1250 credits')
    const { lines } = (await app.read(`/${id}/v1/wallet/lines`, undefined, { token: id })).body as WalletLines
    expect(lines.map(({ kind, credits, reason }) => [kind, credits, reason])).toEqual([
      ['top-up', 250, 'goodwill'],
      ['capture', -4_000, 'a nought too many'],
      ['hold', -4_000, 'a nought too many'],
      ['top-up', 5_000, undefined],
    ])
    expect((await admin('ledger', id)).printed.join('\n')).toContain('goodwill')
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

  test('find reports by the lender’s own reference, and by what a consumer reads out', async () => {
    const request = { ...liveRequest('Allow'), externalReference: 'order 77' }
    const { body } = await app.generate(request, { token: 'other-lender' })
    const found = await admin('report', 'find', 'other-lender', '--reference', 'order 77')
    expect(found).toMatchObject({ exitCode: 0 })
    const short = shortReference(body.data.creditReportId)
    expect(found.printed[1]).toMatch(new RegExp(`live +complete +- +${short} +${body.data.creditReportId}  order 77$`))
    const spoken = spacedReference(body.data.creditReportId).toLowerCase()
    expect(await admin('report', 'find', 'other-lender', '--reference', spoken)).toEqual(found)
    expect((await admin('report', 'find', 'demo-lender', '--reference', spoken)).exitCode).toBe(1)
    expect((await admin('report', 'find', 'other-lender', '--reference', 'none')).exitCode).toBe(1)
    expect((await admin('ledger', 'other-lender')).printed.join()).toContain('order 77')
  })

  test('add, list, rotate, resend and remove webhooks', async () => {
    const added = await admin('webhook', 'add', 'other-lender', 'https://shop.example/webhook')
    const [, id = ''] = /^id +(we-\w+)$/.exec(added.printed[0] ?? '') ?? []
    expect(added.printed[2]).toMatch(/^signing secret +whsec_/)
    await app.generate(liveRequest('Block'), { token: 'other-lender' })
    const listed = (await admin('webhook', 'list', 'other-lender', '--json')).printed.map((line) => JSON.parse(line))
    const [endpoint, event] = listed
    expect(endpoint).toEqual({ webhook: id, url: 'https://shop.example/webhook' })
    expect(event).toMatchObject({ status: 'queued', attempts: 0, type: 'credit-report.blocked' })
    expect((await admin('webhook', 'list', 'other-lender', '--parked', '--json')).printed).toHaveLength(1)
    const eventId = event.id
    expect((await admin('webhook', 'resend', 'other-lender', eventId)).printed[0]).toContain(eventId)
    expect((await admin('webhook', 'resend', 'demo-lender', eventId)).exitCode).toBe(1)
    const rotated = await admin('webhook', 'rotate', 'other-lender', id)
    expect(rotated.printed[2]).toMatch(/^signing secret +whsec_/)
    expect(rotated.printed[2]).not.toBe(added.printed[2])
    expect((await admin('webhook', 'remove', 'demo-lender', id)).exitCode).toBe(1)
    expect((await admin('webhook', 'remove', 'other-lender', id)).printed[0]).toContain(id)
    expect((await admin('webhook', 'list', 'other-lender', '--json')).printed).toEqual([])
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
    for (const { name, summary } of everyCommand) {
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

  test('a database that does not answer is named by its setting', async () => {
    const elsewhere = { ...environment, DATABASE_URL: 'postgres://127.0.0.1:1/reports' }
    const { exitCode, complaints } = await runTestAdmin(elsewhere, ['tenant', 'list'])
    expect(exitCode).toBe(1)
    expect(complaints).toEqual(['DATABASE_URL: no PostgreSQL answers there (ECONNREFUSED)'])
  })

  test('a part of a name lists what begins so; a typing error is named', async () => {
    const { exitCode, printed } = await admin('help', 'tenant')
    expect(exitCode).toBe(0)
    expect(printed.join('\n')).toContain('tenant create ID')
    expect(printed.join('\n')).not.toContain('webhook add')
    expect(await admin('tenant')).toMatchObject({ exitCode: 2, printed: [] })
    expect((await admin('tenant', 'lits')).complaints).toEqual([
      'there is no command "tenant lits"; did you mean "tenant list"?',
    ])
    expect((await admin('reconsile')).complaints[0]).toContain('did you mean "reconcile"?')
    expect((await admin('destroy', 'everything')).complaints[0]).toContain('"admin help" lists them')
  })

  test('what cannot be taken back is typed a second time on a terminal', async () => {
    const { body } = await app.generate(testRequest('allow'))
    const { creditReportId } = body.data
    const on = (answer: string) => runTestAdmin(environment, ['erase', creditReportId], async () => answer)
    expect(await on('y')).toMatchObject({ exitCode: 1, complaints: ['not confirmed: nothing was changed'] })
    expect(await on(creditReportId)).toMatchObject({ exitCode: 0, printed: [`erased ${creditReportId}`] })
    const asked = async () => 'never'
    expect((await runTestAdmin(environment, ['keys', 'rotate'], asked)).exitCode).toBe(0)
    expect((await runTestAdmin(environment, ['keys', 'rotate', '--now'], asked)).exitCode).toBe(1)
  })

  test('a list shows what a name from before hides', async () => {
    await app.database.run(`UPDATE tenant SET name = ? WHERE id = 'empty-lender'`, 'Bank\u001b[2J\u202eknaB')
    const { printed } = await admin('tenant', 'list')
    expect(printed.join('\n')).toContain('Bank\\u{1b}[2J\\u{202e}knaB')
  })

  test.each([
    ['a missing id', ['tenant', 'create'], 'the tenant’s id is missing'],
    ['a bad id', ['tenant', 'create', 'Bad/Id', '--name', 'x'], 'an id has 3 to 40'],
    ['a missing name', ['tenant', 'create', 'some-lender'], '--name, what consumers call the lender, is missing'],
    ['a name that moves the cursor', ['tenant', 'create', 'abc', '--name', 'A\u001b[2J'], 'must not contain control'],
    ['a name that turns around', ['tenant', 'rename', 'demo-lender', '--name', 'A\u202eB'], 'must not contain control'],
    [
      'a name with a hidden letter',
      ['tenant', 'rename', 'demo-lender', '--name', 'A\u200bB'],
      'must not contain control',
    ],
    ['a reason in two lines', ['tenant', 'suspend', 'demo-lender', '--reason', 'a\nb'], 'must not contain control'],
    ['no reason', ['tenant', 'suspend', 'demo-lender'], '--reason is missing'],
    ['a price of nothing', ['tenant', 'price', 'demo-lender'], '--report or --sms is missing'],
    ['a price below 0', ['tenant', 'create', 'abc', '--name', 'x', '--sms-price', '-1'], '--sms-price must be a whole'],
    ['credits below 0', ['top-up', 'demo-lender', '-5'], 'from 1 to 1000000000000, got "-5"'],
    ['a correction of nothing', ['correct', 'demo-lender', '-0', '--reason', 'x'], 'from 1 to'],
    ['a correction without a reason', ['correct', 'demo-lender', '5'], '--reason is missing'],
    ['a limit of nothing', ['ledger', 'demo-lender', '--limit', '0'], '--limit must be a whole number from 1'],
    ['a bad host', ['tenant', 'create', 'abc', '--name', 'x', '--checkout-host', 'a/b'], '--checkout-host must be'],
    ['a bad choice of bureaus', ['tenant', 'bureaus', 'demo-lender', 'some'], 'expected "all" or "any", got "some"'],
    ['an unknown option', ['reconcile', '--fast'], "Unknown option '--fast'"],
    ['a word too many', ['tenant', 'create', 'abc', 'def', '--name', 'x'], '"def" is one word too many'],
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

  test.each([
    [
      'a tenant that exists',
      ['tenant', 'create', 'demo-lender', '--name', 'x'],
      'there is a tenant "demo-lender" already',
    ],
    ['an unknown tenant', ['top-up', 'no-one', '10'], 'there is no tenant "no-one"'],
    [
      'more than there is',
      ['correct', 'empty-lender', '-5', '--reason', 'x'],
      'the wallet has fewer credits than that',
    ],
  ])('%s: exit code 1 and one line', async (_what, words, complaint) => {
    const { exitCode, complaints } = await admin(...words)
    expect(exitCode).toBe(1)
    expect(complaints).toEqual([expect.stringContaining(complaint)])
  })
})
