// A consumer's report in the console: who opens it, why, and what the page shows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRequest } from '../../contract/samples.ts'
import { sealReport } from '../../service/check/content.ts'
import { deriveKeys } from '../../service/keys.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { mainOf, type TestBrowser } from '../../testing/service-browser.ts'
import { liveRequest, testRequest } from '../../testing/test-app.ts'
import { problemOfReason } from './report-pages.ts'

hashQuickly()

const REASON = 'complaint 20261117-4711: balance disputed'
const { lastName, firstName, addresses } = liveRequest('Allow')
const street = addresses[0]?.ukAddress?.thoroughfare ?? ''

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterAll(() => service.stop())

async function api(method: string, path: string, body?: object): Promise<Response> {
  const headers = {
    Authorization: `Bearer ${await service.tokenOf('demo-lender', 'demo-secret')}`,
    'Content-Type': 'application/json',
  }
  const url = `${ORIGIN}/demo-lender/v1/credit-reports${path}`
  return service.fetch(new Request(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }))
}
const generate = async (request: object): Promise<string> =>
  (await (await api('POST', '', request)).json()).data.creditReportId
const pathOf = (id: string) => `/console/checks/${id}/report`
/** Of reports that were opened. */
const lines = () =>
  service.database.all(
    `SELECT object, change_json, actor_email FROM audit_event WHERE action = 'report.open' AND outcome = 'done' ORDER BY sequence`,
  )

test('a check’s page leads to a question, the question to the report, and the audit trail says who and why', async () => {
  const id = await generate(liveRequest('Allow'))
  const check = (await browser.visit(`/console/checks/${id}`)).text
  expect(check).toContain(`href="${pathOf(id)}">Open the report`)
  const question = await browser.visit(pathOf(id))
  for (const word of [lastName, street]) expect(check + question.text).not.toContain(word)

  const { response, text, url } = await browser.visit(pathOf(id), { form: { reason: `  ${REASON} ` } })
  expect([response.status, url.pathname]).toEqual([200, pathOf(id)])
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  for (const word of [firstName, lastName, street, '<h2>Accounts</h2>', '<h2>Addresses</h2>', '<h2>Searches</h2>', '£'])
    expect(text).toContain(word)
  expect(await lines()).toEqual([
    {
      object: id,
      change_json: JSON.stringify({ from: null, to: { reason: REASON } }),
      actor_email: SAM[0],
    },
  ])
  expect((await browser.visit('/console/audit?action=report.open')).text).toContain(`reason: ${REASON}`)
  expect((await browser.visit(`/console/checks/${id}`)).text).toContain('opened in the console by Sam Lee.')

  // A reload shows nothing, nor does the address in another tab.
  const again = (await browser.visit(url.pathname + url.search)).text
  expect(again).toContain('<h1>Open the report</h1>')
  expect(again).not.toContain(lastName)
  expect(await lines()).toHaveLength(1)
})

test('one report’s question opens no other', async () => {
  const [one, other] = [await generate(testRequest('allow')), await generate(testRequest('allow'))]
  const sent = await browser.ask(pathOf(one), { form: { reason: REASON } })
  const done = new URL(sent.headers.get('Location') ?? '', ORIGIN).search
  const { text } = await browser.visit(pathOf(other) + done)
  expect(text).toContain('<h1>Open the report</h1>')
  expect(text).not.toContain(sampleRequest.lastName)
})

test('a form that is sent twice opens it once', async () => {
  const id = await generate(testRequest('allow'))
  const form = { press: await browser.newPress(), reason: REASON }
  const before = (await lines()).length
  expect((await browser.visit(pathOf(id), { form })).text).toContain('Test: not about a real person')
  expect((await browser.visit(pathOf(id), { form })).text).toContain('<h1>Open the report</h1>')
  expect(await lines()).toHaveLength(before + 1)
})

test.each([
  ['too short', 'ab', 'Type a reason of 3 to 200 characters.'],
  ['too long', 'a'.repeat(201), 'Type a reason of 3 to 200 characters.'],
  ['only spaces', '      ', 'Type a reason of 3 to 200 characters.'],
  ['the surname', `call of ${lastName.toUpperCase()}!`, 'Leave out everything about the consumer'],
  ['a postcode', 'lives in sw1a1aa', 'Leave out everything about the consumer'],
  ['an e-mail address', 'mail of x@y.example', 'Leave out everything about the consumer'],
  ['a phone number', 'called from +44 7700 900123', 'Leave out everything about the consumer'],
])('a reason that is %s is refused, and kept nowhere', async (_what, reason, problem) => {
  const id = await generate({
    ...liveRequest('Allow'),
    addresses: [{ type: 'current', ukAddress: { ...addresses[0]?.ukAddress, postcode: 'SW1A 1AA' } }],
  })
  const before = JSON.stringify(await lines())
  const { response, text } = await browser.visit(pathOf(id), { form: { reason } })
  expect(response.status).toBe(400)
  expect(text).toContain(problem)
  expect(text).not.toContain('<h2>Accounts</h2>')
  expect(JSON.stringify(await lines()).slice(before.length)).not.toContain(reason)
})

test('a reason with the date of birth in any usual form is refused; the same digits elsewhere are not', () => {
  const report = {
    person: { firstName: 'Ada', lastName: '', dateOfBirth: '1990-02-01' },
    residencies: [],
    consumerData: { records: [] },
    previousSearches: { providers: [] },
  }
  for (const said of ['born 1990-02-01', 'born 01/02/1990', 'born 1 Feb 1990'])
    expect(problemOfReason(said, report)).not.toBeNull()
  expect(problemOfReason('ticket 19900203', report)).toBeNull()
})

test('without a report the page says why', async () => {
  const erased = await generate(liveRequest('Allow'))
  await api('DELETE', `/${erased}`)
  const open = await generate(testRequest('challenge'))
  const old = await generate(testRequest('allow'))
  await service.database.run('DELETE FROM sealed_report WHERE report_id = ?', old)
  for (const [id, words] of [
    [erased, 'The report was erased.'],
    [open, 'this check has not been completed'],
    [old, 'no longer kept'],
  ] as const) {
    for (const init of [{}, { form: { reason: REASON } }]) {
      const { response, text } = await browser.visit(pathOf(id), init)
      expect(response.status).toBe(409)
      expect(text).toContain(words)
    }
    expect((await browser.visit(`/console/checks/${id}`)).text).not.toContain('Open the report')
  }
  expect((await browser.ask(pathOf('x'))).status).toBe(404)
})

test('what an agency or a person wrote is text, however hostile', async () => {
  const hostile = `<script>alert(1)</script>=cmd\u202e${'x'.repeat(200)}`
  const id = await generate(testRequest('allow'))
  const { creditReport } = (await (await api('GET', `/${id}`)).json()).data
  creditReport.consumerData.records[0].companyName = hostile
  creditReport.consumerData.records[0].balance = { amount: 1, currency: '<i>' }
  creditReport.consumerData.records[0].startDate = '<b>'
  creditReport.previousSearches.providers = [{ companyName: hostile, records: [{ date: '2026-99-99' }] }]
  const place = { tenantId: 'demo-lender', creditReportId: id, test: true }
  const { wrappedKey, content } = sealReport(
    deriveKeys(service.config.secretKeys).reports,
    place,
    JSON.stringify(creditReport),
  )
  const sql = 'UPDATE sealed_report SET wrapped_key = ?, content = ? WHERE report_id = ?'
  await service.database.run(sql, wrappedKey, content, id)

  const { text } = await browser.visit(pathOf(id), { form: { reason: hostile.slice(0, 100) } })
  expect(text).toContain('&lt;script&gt;alert(1)')
  expect(text).toContain('1 &lt;i&gt;')
  expect(text).toContain('2026-99-99')
  const trail = (await browser.visit('/console/audit?action=report.open')).text
  expect(trail).toContain('&lt;script&gt;alert(1)')
  for (const page of [text, trail]) expect(mainOf(page)).not.toMatch(/<script|<i>|<b>x/)
})
