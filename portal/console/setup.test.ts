// The set-up page as the people of a lender see it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startTestService()
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterAll(() => service.stop())

const words = async () => wordsOf((await browser.visit('/console/setup')).text)

test('it names what is missing, with the page to go to', async () => {
  const { text } = await browser.visit('/console/setup')
  expect(wordsOf(text)).toContain('Advice No webhook: a report of a consumer who closed the page')
  expect(text).toMatch(/No webhook.*<a href="\/console\/webhooks">Webhooks<\/a>/s)
  expect(wordsOf(text)).toContain('No check has named a version yet.')
  await service.database.run(`UPDATE tenant SET suspended_at_ms = 1 WHERE id = 'demo-lender'`)
  expect(await words()).toContain('Problem New checks are refused: your lender is suspended.')
  await service.database.run(`UPDATE tenant SET suspended_at_ms = NULL WHERE id = 'demo-lender'`)
})

test('a client’s name is shown as typed, and another lender’s secrets are not spoken of', async () => {
  const soonMs = service.time.nowMs + 3_600_000
  const name = '<img src=x onerror=alert(1)>'
  await service.database.run(`UPDATE api_client SET name = ?`, name)
  const set = 'UPDATE api_client_secret SET expires_at_ms = ? WHERE client_id = ?'
  await service.database.run(set, soonMs, 'other-lender')
  expect(await words()).not.toContain('last secret')
  await service.database.run(set, soonMs, 'demo-lender')
  const { text } = await browser.visit('/console/setup')
  expect(text).toContain('The last secret of &lt;img src=x onerror=alert(1)&gt; ends')
  expect(text).not.toContain('<img')
})

test('versions are shown with the newest, and only the lender’s own', async () => {
  const insert = 'INSERT INTO version_seen (tenant_id, test, kind, version, seen_at_ms) VALUES (?, 0, ?, ?, ?)'
  await service.database.run(insert, 'demo-lender', 'proxy', '0.0.1', service.time.nowMs)
  await service.database.run(insert, 'demo-lender', 'widget', '99.0.0', service.time.nowMs)
  await service.database.run(insert, 'other-lender', 'proxy', '0.0.2', service.time.nowMs)
  const shown = await words()
  expect(shown).toMatch(/Proxy 0\.0\.1 Live \d+ \w+ \d{4}, \d\d:\d\d Newer available: \d+\.\d+\.\d+/)
  expect(shown).toMatch(/Widget 99\.0\.0 Live \d+ \w+ \d{4}, \d\d:\d\d Current/)
  expect(shown).toMatch(/Advice The proxy runs version 0\.0\.1; \d+\.\d+\.\d+ is available\./)
  expect(shown).not.toContain('0.0.2')
})

test('refused calls are shown by code, with those of the last hour, and only the lender’s own', async () => {
  expect(await words()).toContain('None in the last 30 days')
  const token = await service.tokenOf('demo-lender', 'demo-secret')
  const call = (path: string) =>
    service.fetch(new Request(`${ORIGIN}/demo-lender/v1/${path}`, { headers: { Authorization: `Bearer ${token}` } }))
  await call('credit-reports?limit=none')
  await call('credit-reports?limit=none')
  await call('credit-reports/none')
  const shown = await words()
  expect(shown).toContain('validation-error 2 2 2')
  expect(shown).toContain('credit-report-not-found 1 1 1')
  expect(shown).toMatch(
    /GET \/:tenantId\/v1\/credit-reports\/:creditReportId 404 credit-report-not-found demo-lender \S+/,
  )
  service.time.nowMs += 2 * 3_600_000
  await browser.signIn(...SAM, '/console')
  expect(await words()).toContain('validation-error 0 2 2')
})

test('what the lender’s own server found is shown in words', async () => {
  expect(await words()).toContain('The doctor has not reported yet.')
  const insert = 'INSERT INTO doctor_report (tenant_id, test, findings, reported_at_ms) VALUES (?, ?, ?, ?)'
  await service.database.run(insert, 'other-lender', 0, 'widget-files', service.time.nowMs)
  // A finding written by a later version is left out.
  await service.database.run(insert, 'demo-lender', 0, 'clock <b>later</b>', service.time.nowMs)
  await service.database.run(insert, 'demo-lender', 1, '', service.time.nowMs)
  const shown = await words()
  expect(shown).toMatch(
    /Problem The clock of your server differs .* Live \d+ \w+ \d{4}, \d\d:\d\d Good The doctor found nothing wrong\. Test/,
  )
  expect(shown).not.toMatch(/later|Files of the widget/)
})
