// A consumer asks what a lender holds about them: found by what they gave, erased, and nothing of it for anyone else.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { liveRequest } from '../../testing/test-app.ts'

const PERSON = { 'last-name': 'Example', 'date-of-birth': '1985-03-27', postcodes: 'sw1a1aa' }

let service: TestService
let browser: TestBrowser
let [first, second, theirs] = ['', '', '']

beforeAll(async () => {
  service = await startTestService({ REPORT_RETENTION_DAYS: '45' })
  first = await generate('demo')
  second = await generate('demo')
  theirs = await generate('other')
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterAll(() => service.stop())

async function generate(lender: string, asked = liveRequest()): Promise<string> {
  service.time.nowMs += 1
  return (await (await service.generate(asked, lender)).json()).data.creditReportId
}

const find = (person: { [name: string]: string }) => browser.visit('/console/data/find', { form: person })
const erase = (person: { [name: string]: string }) => browser.visit('/console/data/erase', { form: person })

test('the page says how long reports are kept', async () => {
  expect((await browser.visit('/console/data')).text).toContain('after 45 days')
  await service.database.run(`UPDATE tenant SET report_retention_days = 2 WHERE id = 'demo-lender'`)
  expect((await browser.visit('/console/data')).text).toContain('after 2 days')
})

test('a person is found by name, date of birth and postcode, at this lender alone', async () => {
  const { text, response } = await find(PERSON)
  expect(response.status).toBe(200)
  expect(text).toContain('2 checks about this person')
  for (const id of [first, second]) expect(text).toContain(`/console/checks/${id}`)
  expect(text).not.toContain(theirs)
  for (const other of [{ 'last-name': 'Other' }, { 'date-of-birth': '1985-03-28' }, { postcodes: 'M1 1AE' }]) {
    expect((await find({ ...PERSON, ...other })).text).toContain('Nothing was found')
  }
  expect((await find({ ...PERSON, postcodes: 'M1 1AE, SW1A 1AA' })).text).toContain('2 checks about this person')
  const [year, month, day] = PERSON['date-of-birth'].split('-')
  for (const written of [
    `${day}/${month}/${year}`,
    `${Number(day)}/${Number(month)}/${year}`,
    `${day}.${month}.${year}`,
  ]) {
    const found = await find({ ...PERSON, 'date-of-birth': written })
    expect(found.text).toContain('2 checks about this person')
    expect(found.text).toContain(`value="${written}"`)
  }
})

test.each([
  { 'last-name': '' },
  { 'date-of-birth': '31/13/1985' },
  { 'date-of-birth': '30/02/1985' },
  { 'date-of-birth': '03-1985' },
  { postcodes: '' },
  { postcodes: '<b>' },
  { 'last-name': 'x'.repeat(101) },
])('%j is refused in words, and what was typed stays', async (wrong) => {
  for (const send of [find, erase]) {
    const { text, response } = await send({ ...PERSON, ...wrong, sure: 'yes' })
    expect(response.status).toBe(400)
    expect(text).toContain('Type the last name')
    expect(text).not.toContain('value="<b>"')
  }
})

test('each search is in the audit trail, with how many checks it found and nothing about the person', async () => {
  await find(PERSON)
  await find({ ...PERSON, 'date-of-birth': 'yesterday' })
  const trail = await service.database.all<{ outcome: string; object: string | null; change_json: string | null }>(
    `SELECT outcome, object, change_json FROM audit_event WHERE action = 'person.find' ORDER BY sequence DESC LIMIT 2`,
  )
  expect(trail).toEqual([
    { outcome: '400', object: null, change_json: null },
    { outcome: 'done', object: null, change_json: JSON.stringify({ from: null, to: { found: 2 } }) },
  ])
})

test('everything about the person is given out as a file, and each report is in the audit trail', async () => {
  const complete = await generate('demo', liveRequest('Allow'))
  const person = { ...PERSON, 'last-name': 'Allow' }
  const response = await browser.ask('/console/data/export', { form: { press: await browser.newPress(), ...person } })
  expect(response.headers.get('Content-Disposition')).toContain('consumer-data.jsonl')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const lines = (await response.text()).trim().split('\n')
  const token = await service.tokenOf('demo-lender', 'demo-secret')
  const asked = { lastName: 'Allow', dateOfBirth: person['date-of-birth'], postcodes: ['SW1A 1AA'] }
  const api = await service.fetch(
    new Request(`${ORIGIN}/demo-lender/v1/people/export`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
    }),
  )
  expect(lines.map((line) => JSON.parse(line))).toEqual((await api.json()).data.creditReports)
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { creditReportId: complete, creditReport: { person: { lastName: 'Allow' } } },
  ])
  const trail = await service.database.all<{ object: string }>(
    `SELECT object FROM audit_event WHERE action = 'person.export' AND outcome = 'done'`,
  )
  expect(trail).toEqual([{ object: complete }, { object: complete }])
  await erase({ ...person, sure: 'yes' })
})

test('the same is shown in words to be printed, checks without a report too', async () => {
  const person = { ...PERSON, 'last-name': 'Block' }
  await generate('demo', liveRequest('Block'))
  const { text, response } = await browser.visit('/console/data/print', { form: person })
  expect(response.status).toBe(200)
  const words = wordsOf(text)
  expect(words).toContain('Your credit checks')
  expect(words).toContain('We could not do this check online.')
  expect(words).toContain('No credit report is held.')
  const complete = { ...PERSON, 'last-name': 'Allow' }
  await generate('demo', liveRequest('Allow'))
  const shown = wordsOf((await browser.visit('/console/data/print', { form: complete })).text)
  expect(shown).toContain('Your credit check is complete, and we have your report.')
  expect(shown).toMatch(/Date of birth 27 Mar 1985 .*Accounts/)
  for (const each of [person, complete]) await erase({ ...each, sure: 'yes' })
  expect(wordsOf((await browser.visit('/console/data/print', { form: complete })).text)).toContain('Nothing is held.')
})

test('one check is erased from its page, once, and never another lender’s', async () => {
  expect((await browser.visit(`/console/checks/${first}`)).text).toContain(`/console/checks/${first}/erase`)
  expect((await browser.visit(`/console/checks/${first}/erase`)).text).toContain('cannot be undone')
  const { text, url } = await browser.visit(`/console/checks/${first}/erase`, { form: {} })
  expect(url.pathname).toBe(`/console/checks/${first}`)
  expect(text).toContain('The check was erased.')
  expect(text).not.toContain(`/console/checks/${first}/erase`)
  for (const id of [first, theirs, 'nothing']) {
    expect((await browser.visit(`/console/checks/${id}/erase`, { form: {} })).text).toContain('There is no such check')
  }
  const kept = await service.database.all('SELECT erased_at_ms FROM credit_report WHERE erased_at_ms IS NOT NULL')
  expect(kept).toHaveLength(4)
})

test('everything about the person is erased, after a tick', async () => {
  expect((await erase(PERSON)).text).toContain('Tick the box')
  expect((await find(PERSON)).text).toContain('One check about this person')
  expect((await erase({ ...PERSON, sure: 'yes' })).text).toContain('One check was erased.')
  expect((await find(PERSON)).text).toContain('Nothing was found')
  expect((await erase({ ...PERSON, sure: 'yes' })).text).toContain('There is nothing to erase')
  const left = await service.database.all('SELECT id FROM credit_report WHERE erased_at_ms IS NULL')
  expect(left).toEqual([{ id: theirs }])
})
