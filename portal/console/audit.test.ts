// The audit page, its files and the same over the API.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { AuditTrail } from '../../contract/audit.ts'
import { writeAudit } from '../../plugins/audit/store.ts'
import { dataOf } from '../../testing/data-of.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { changeWords } from './audit-pages.ts'

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
  await service.browser().signIn(SAM[0], 'wrong')
  // Written beside the answer.
  await vi.waitFor(
    async () => {
      const tries = await service.database.all("SELECT 1 AS one FROM audit_event WHERE action = 'sign-in.try'")
      expect(tries).toHaveLength(1)
    },
    { timeout: 30_000 },
  )
  browser = service.browser()
  await browser.signIn(...SAM, '/console/audit')
  const form = { 'report.hour': '1', 'report.day': '20', 'text.hour': '', 'text.day': '' }
  await browser.visit('/console/caps', { form })
  await browser.visit('/console/people/stranger/role', { form: { role: 'support' } })
  const hostile = { tenantId: 'demo-lender', actorKind: 'person', actorId: 'x', address: null, change: null } as const
  for (const [index, text] of ['=cmd|calc', '<b>bold</b>', '@SUM(1)', 'y'.repeat(200)].entries()) {
    const who = { actorName: text, actorEmail: `${text}@x.example` }
    const what = { action: 'client.create', object: text, outcome: 'done' }
    await writeAudit(service.database, { ...hostile, ...who, ...what, atMs: service.time.nowMs - 1_000 - index })
  }
  const theirs = { ...hostile, tenantId: 'other-lender', actorName: 'Theirs', actorEmail: null, object: null }
  await writeAudit(service.database, { ...theirs, action: 'sign-in', outcome: 'done', atMs: service.time.nowMs })
})
afterAll(() => service.stop())

const page = async (path: string) => (await browser.visit(path)).text
/** Without what could be chosen. */
const wordsShown = (text: string) => wordsOf(text.replace(/<select.*?<\/select>/gs, ''))

test('says in words who did what, what changed, and how it ended', async () => {
  const words = wordsShown(await page('/console/audit'))
  expect(words).toContain('Sam Lee sam@demo-lender.example Changed the spend caps')
  expect(words).toContain('reports in an hour: none → £1.00; reports in a day: none → £20.00')
  expect(words).toContain('Not proven: account of Sam Lee sam@demo-lender.example Tried to sign in')
  expect(words).toMatch(/Changed a role stranger Refused: not found/)
  expect(words).not.toMatch(/\(409\)|Theirs|caps\.set/)
})

test('a member who left keeps the name of then', async () => {
  await service.database.run("UPDATE user_account SET first_name = 'New' WHERE email = ?", SAM[0])
  expect(wordsShown(await page('/console/audit?action=caps.set'))).toContain('Sam Lee sam@demo-lender.example')
  await service.database.run("UPDATE user_account SET first_name = 'Sam' WHERE email = ?", SAM[0])
})

test('filters narrow it, stay in the form, and go into the links', async () => {
  const text = await page('/console/audit?who=Sam&action=caps.set&outcome=done&from=&to=')
  expect(wordsShown(text)).toContain('Changed the spend caps')
  expect(wordsShown(text)).not.toContain('Tried to sign in')
  expect(text).toContain('<option value="caps.set" selected>')
  expect(text).toContain('href="/console/audit.csv?who=Sam&amp;action=caps.set&amp;outcome=done"')
  expect(wordsShown(await page('/console/audit?who=nobody+at+all'))).toContain('Nothing matches.')
  expect(wordsShown(await page('/console/audit?outcome=refused'))).not.toContain('Changed the spend caps')
})

test('what was done to someone stands under their name then, and leads to the rest of it', async () => {
  const done = {
    tenantId: 'demo-lender',
    actorKind: 'person',
    actorId: 'sam',
    actorName: 'Sam Lee',
    actorEmail: null,
  } as const
  const leo = { object: 'leo-1', objectName: 'Leo Moss', address: null, outcome: 'done' }
  const role = { action: 'person.role', change: { from: 'support', to: 'owner' } }
  await writeAudit(service.database, { ...done, ...leo, ...role, atMs: service.time.nowMs })
  const byClient = {
    ...done,
    actorKind: 'client',
    actorId: 'shop-server',
    action: 'person.remove',
    change: null,
  } as const
  await writeAudit(service.database, { ...byClient, ...leo, atMs: service.time.nowMs })
  const text = await page('/console/audit?object=leo')
  expect(text).toContain(
    '<a href="/console/audit?object=leo-1">Leo Moss</a></span><small class="short" title="leo-1"><code>leo-1</code></small>',
  )
  expect(text).toContain('<a href="/console/audit?who=sam">Sam Lee</a>')
  const words = wordsShown(await page('/console/audit?object=leo-1'))
  expect(words).toContain('API client shop-server made by Sam Lee')
  expect(words).toContain('Changed a role support → owner Leo Moss leo-1')
  expect(words).not.toContain('Changed the spend caps')
  expect((await browser.visit('/console/audit.csv?object=leo-1')).text).toContain('"leo-1","Leo Moss"')
})

test('what has no name but its id stands there once', async () => {
  const who = {
    tenantId: 'demo-lender',
    actorKind: 'operator',
    actorId: 'root',
    actorName: null,
    actorEmail: null,
  } as const
  const what = { action: 'person.invite', object: 'kim@x.example', objectName: 'kim@x.example', change: null } as const
  await writeAudit(service.database, { ...who, ...what, address: null, outcome: 'done', atMs: service.time.nowMs })
  expect(wordsShown(await page('/console/audit'))).toMatch(/Invited a person kim@x\.example Done/)
})

test('days of the filter are days in the United Kingdom', async () => {
  const event = {
    tenantId: 'demo-lender',
    actorKind: 'operator',
    actorId: 'night',
    actorName: null,
    actorEmail: null,
  } as const
  const what = { action: 'sign-in', object: null, change: null, address: null, outcome: 'done' }
  await writeAudit(service.database, { ...event, ...what, atMs: Date.parse('2026-06-14T23:30:00Z') })
  const found = async (day: string) => wordsShown(await page(`/console/audit?from=${day}&to=${day}`))
  expect(await found('2026-06-15')).toContain('15 Jun 2026, 00:30')
  expect(await found('2026-06-14')).toContain('Nothing matches')
})

test.each(['from=yesterday', 'to=2026-13-01', 'outcome=maybe', 'before=x', `who=${'x'.repeat(500)}`])(
  '%s is refused in words',
  async (query) => {
    const { response, text } = await browser.visit(`/console/audit?${query}`)
    expect(response.status).toBe(400)
    expect(wordsShown(text)).toContain('One of the filters is not valid')
  },
)

test('another lender’s event is no cursor', async () => {
  const row = await service.database.first("SELECT sequence FROM audit_event WHERE tenant_id = 'other-lender'")
  const { response, text } = await browser.visit(`/console/audit?before=${row?.sequence}`)
  expect(response.status).toBe(400)
  expect(text).not.toContain('Theirs')
})

test('says how far the chain was verified, and when it is broken', async () => {
  expect(wordsShown(await page('/console/audit'))).toContain('has not been verified yet')
  for (let round = 0; round < 3; round += 1) await service.sweeper.sweep()
  expect(wordsShown(await page('/console/audit'))).toMatch(/Verified Every event up to number \d+ is as it was written/)
  await service.database.run("UPDATE audit_head SET verified_problem = 'event 2 was changed'")
  expect(wordsShown(await page('/console/audit'))).toContain('found: event 2 was changed. Ask the operator.')
  await service.database.run('UPDATE audit_head SET verified_problem = NULL')
})

describe('the files', () => {
  test('CSV has every event, hostile text inert, and is written down itself', async () => {
    const { response, text } = await browser.visit('/console/audit.csv')
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="audit-demo-lender.csv"')
    for (const cell of [`"'=cmd|calc"`, `"'@SUM(1)"`, '"<b>bold</b>"', `"${'y'.repeat(200)}"`])
      expect(text).toContain(cell)
    expect(text).not.toContain('Theirs')
    const rows = text.trimEnd().split('\r\n')
    const [{ count = 0 } = {}] = await service.database.all<{ count: number }>(
      "SELECT COUNT(*) AS count FROM audit_event WHERE tenant_id = 'demo-lender'",
    )
    expect(rows).toHaveLength(1 + count)
    const last = await service.database.first('SELECT action, outcome FROM audit_event ORDER BY sequence DESC LIMIT 1')
    expect(last).toEqual({ action: 'audit.read', outcome: '200' })
  })

  test('JSON lines have the same, under the same filters', async () => {
    const { response, text } = await browser.visit('/console/audit.jsonl?action=caps.set')
    expect(response.headers.get('Content-Type')).toBe('application/jsonl; charset=utf-8')
    const events = text.trimEnd().split('\n')
    expect(events.map((line) => JSON.parse(line))).toMatchObject([
      { action: 'caps.set', actor: { kind: 'person', name: 'Sam Lee' }, outcome: 'done' },
    ])
    expect((await browser.visit('/console/audit.csv?from=never')).response.status).toBe(404)
  })

  test('a page of events is read when the browser has taken the one before', async () => {
    const { database, time } = service
    await database.run(
      `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, action, outcome)
       WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 20000)
       SELECT ${time.nowMs} - n, 'demo-lender', 'client', 'report.read', '200' FROM counted`,
    )
    const asked: number[] = []
    const { all } = database
    database.all = async (sql: string, ...values: never[]) => {
      const rows = await (all as (sql: string, ...values: never[]) => Promise<never[]>).call(database, sql, ...values)
      if (sql.includes('looked_at')) asked.push(rows.length)
      return rows
    }
    try {
      const response = await browser.ask('/console/audit.jsonl')
      const reader = response.body?.getReader()
      for (let chunk = 0; chunk < 2; chunk += 1) await reader?.read()
      expect(asked.length).toBeLessThanOrEqual(3)
      await reader?.cancel()
      const { text } = await browser.visit('/console/audit.jsonl?action=report.read')
      expect(text.trimEnd().split('\n')).toHaveLength(20_000)
      expect(Math.max(...asked)).toBeLessThanOrEqual(1_001)
    } finally {
      database.all = all
    }
  })
})

test('the API gives the same to a token with the scope, and to no other', async () => {
  const ask = async (path: string, token: string) => {
    const headers = { Authorization: `Bearer ${token}` }
    const response = await service.fetch(new Request(`${ORIGIN}/demo-lender/v1/audit${path}`, { headers }))
    return { status: response.status, body: dataOf(await response.json()) }
  }
  const setScopes = (scopes: string) =>
    service.database.run(`UPDATE api_client SET scopes = ? WHERE tenant_id IN ('demo-lender', 'other-lender')`, scopes)
  await setScopes('credit-reports wallet')
  const usual = await service.tokenOf('demo-lender', 'demo-secret')
  expect((await ask('', usual)).status).toBe(403)
  await setScopes('audit')
  const token = await service.tokenOf('demo-lender', 'demo-secret')
  const { status, body } = await ask('?action=caps.set&who=Sam', token)
  expect(status).toBe(200)
  const { events, verified } = AuditTrail.parse(body)
  expect(events).toMatchObject([{ action: 'caps.set', to: expect.stringContaining('"report-hour":1000') }])
  expect(verified?.position).toBeGreaterThan(0)
  const first = AuditTrail.parse((await ask('?limit=2', token)).body)
  const second = AuditTrail.parse((await ask(`?limit=2&after=${first.nextAfter}`, token)).body)
  const ids = [...first.events, ...second.events].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  const row = await service.database.first("SELECT sequence FROM audit_event WHERE tenant_id = 'other-lender'")
  expect((await ask(`?after=${row?.sequence}`, token)).body.message).toContain('after: must be the nextAfter')
  expect((await ask('', await service.tokenOf('other-lender', 'other-secret'))).status).toBe(403)
})

test.each([
  [
    'caps.set',
    { from: { 'report-hour': 500, 'text-day': 0 }, to: { 'report-hour': null, 'text-day': 0 } },
    'reports in an hour: £0.50 → none',
  ],
  ['low-balance.set', { from: null, to: 5_000 }, 'none → £5.00'],
  ['second-factor.require', { from: false, to: true }, 'no → yes'],
  ['person.role', { from: 'support', to: 'owner' }, 'support → owner'],
  ['admin correct', { from: null, to: { credits: -10, reason: 'twice' } }, 'credits: -£0.01; reason: twice'],
  ['admin tenant rename', { from: { name: 'A' }, to: { name: 'B' } }, 'name: A → B'],
])('the change of %s in words', (action, change, words) => {
  expect(changeWords({ action, change })).toBe(words)
})
