// The money pages: balance, holds, alert, and the month's statement as a page and as a file.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { topUp } from '../../service/ledger/ledger.ts'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { liveRequest } from '../../testing/test-app.ts'
import { csvRow } from './download.ts'
import { monthLinks } from './statement-pages.ts'

const LONG = 'x'.repeat(200)
const HOSTILE = ['=cmd|calc', '<b>bold</b>', '+44', '@SUM(A1)', '-1', LONG]

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
  for (const [index, externalReference] of HOSTILE.entries()) {
    const lastName = index === 0 ? 'Challenge' : 'Allow'
    const response = await service.generate({ ...liveRequest(lastName), externalReference })
    expect(response.status).toBe(200)
  }
  browser = service.browser()
  await browser.signIn(...SAM, '/console/money')
})
afterAll(() => service.stop())

const page = async (path: string) => (await browser.visit(path)).text
const monthNow = () => new Date(service.time.nowMs).toISOString().slice(0, 7)
const rowsOf = (csv: string) => csv.trimEnd().split('\r\n')

test('what is there, held, spent, and how long it lasts', async () => {
  const words = wordsOf(await page('/console/money'))
  expect(words).toContain('Balance £996.96 996,960 credits')
  expect(words).toContain('Held £0.50 500 credits')
  expect(words).toContain('Spent this month £2.54 2,540 credits')
  expect(words).toContain('Lasts for 392 days at £2.54 a day on average in the last day')
})

test('a lender without any statement sees no heading of them', () => {
  expect(String(monthLinks([]))).toBe('')
  expect(String(monthLinks(['2026-10']))).toContain('Statements')
})

test('what is held is listed by age, the oldest first, with its check', async () => {
  service.time.nowMs += 3 * 60_000
  const text = await page('/console/money')
  expect(wordsOf(text)).toContain('Held, oldest first')
  expect(wordsOf(text)).toMatch(/Report £0.50 500 credits 3 minutes .*.*=cmd\|calc/)
})

test('the alert is set, shown, reported when the balance is below, and taken off', async () => {
  const save = (amount: string) => browser.visit('/console/money/low-balance', { form: { thresholdCredits: amount } })
  const threshold = async () =>
    (await service.database.first("SELECT low_balance_credits FROM tenant WHERE id = 'demo-lender'"))
      ?.low_balance_credits
  const saved = await save('£2,000')
  expect(wordsOf(saved.text)).toContain('The low-balance alert is set.')
  expect(wordsOf(saved.text)).toContain('The balance is below your alert of £2,000.00.')
  expect(saved.text).toContain('value="2,000.00"')
  expect(await threshold()).toBe(2_000_000)
  for (const wrong of ['many', '0', '0.00', '-1', '1e9', '<b>']) {
    const refused = await save(wrong)
    expect(refused.response.status).toBe(400)
    expect(wordsOf(refused.text)).toContain('Type an amount in pounds, or nothing for none.')
  }
  expect(await threshold()).toBe(2_000_000)
  expect(wordsOf((await save('')).text)).toContain('The low-balance alert is off.')
  expect(await threshold()).toBeNull()
})

describe('the statement', () => {
  test('opening and lines make the closing', async () => {
    const words = wordsOf(await page('/console/money/statement'))
    expect(words).toContain('Opening balance £0.00 0 credits Top-ups 1 +£1,000.00 +1,000,000 credits')
    expect(words).toContain('Reports 5 −£2.50 −2,500 credits')
    expect(words).toContain('Texts 1 −£0.04 −40 credits Balance now £997.46 997,460 credits')
    expect(words).toContain('includes £0.50 500 credits held')
    // Every line is of this day, and so is what it cost.
    expect(words).toMatch(/By day .* 7 £2\.54 2,540 credits £997\.46 997,460 credits/)
  })

  test('hostile references are inert on the page and in the file', async () => {
    const text = await page('/console/money/statement')
    expect(text).not.toContain('<b>bold')
    expect(text).toContain('&lt;b&gt;bold')
    const { response, text: csv } = await browser.visit('/console/money/statement.csv')
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Content-Disposition')).toBe(
      `attachment; filename="statement-demo-lender-${monthNow()}.csv"`,
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    for (const cell of [`"'=cmd|calc"`, `"'+44"`, `"'@SUM(A1)"`, `"'-1"`, `"<b>bold</b>"`, `"${LONG}"`]) {
      expect(csv).toContain(cell)
    }
    const rows = rowsOf(csv)
    expect(rows).toHaveLength(1 + 1 + 7 + 1)
    expect(rows[1]).toBe(`"","Opening balance ${monthNow()}","","",,,0.00,0`)
    expect(rows[2]).toMatch(/^"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d","Top-up","?"?,"?"?,1000\.00,1000000,1000\.00,1000000$/)
    expect(csv).toContain(',-0.50,-500,')
    expect(rows.at(-1)).toBe(`"","Closing balance ${monthNow()}","","",,,997.46,997460`)
  })

  test.each(['2026-13', '2026-1', 'all', '<b>', '2026-11-01', ' ', '9999999-01', '2099-01'])(
    '%s is no month that has begun',
    async (month) => {
      for (const file of ['', '.csv'])
        await expectUnknown(`/console/money/statement${file}?month=${encodeURIComponent(month)}`)
    },
  )

  test.each(['/console/money?before=', '/console/money/statement?after='])(
    'another lender’s line is no cursor: %s',
    async (address) => {
      for (const cursor of ['top-up_other-lender_demo', 'zzz']) await expectUnknown(address + cursor)
    },
  )

  async function expectUnknown(address: string) {
    const { response, text } = await browser.visit(address)
    expect([response.status, wordsOf(text)]).toEqual([404, expect.stringContaining('Part of this address is unknown')])
    expect(text).not.toContain('other-lender')
  }

  test('ten thousand lines: pages of the file are read as the browser takes them', async () => {
    const { database, time } = service
    const many = 10_000
    await topUp(database, { tenantId: 'empty-lender', credits: 1, reference: 'first', nowMs: time.nowMs })
    await database.run(
      `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, created_at_ms)
       WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${many})
       SELECT 'top-up_demo-lender_filled-' || n, 'demo-lender', 'top-up', 'top-up', 1, ${time.nowMs} FROM counted`,
    )
    // On paper a reader must see that it is a part.
    expect(wordsOf(await page('/console/money/statement'))).toContain('50 of 10,007 lines, oldest first')
    const asked: number[] = []
    const { all } = database
    database.all = async <R>(sql: string, ...values: never[]) => {
      const rows = await (all as (sql: string, ...values: never[]) => Promise<R[]>).call(database, sql, ...values)
      if (sql.includes('wallet_line line')) asked.push(rows.length)
      return rows as never
    }
    try {
      const response = await browser.ask('/console/money/statement.csv')
      const reader = response.body?.getReader()
      if (!reader) throw new Error('no body')
      for (let chunk = 0; chunk < 3; chunk += 1) await reader.read()
      // The head and two pages; one more may be on its way.
      expect(asked.length).toBeLessThanOrEqual(3)
      await reader.cancel()
      const stopped = asked.length
      let lines = 0
      let last = ''
      const whole = await browser.ask('/console/money/statement.csv')
      for await (const bytes of whole.body ?? []) {
        const text = new TextDecoder().decode(bytes)
        lines += rowsOf(text).length
        last = text
      }
      expect(asked.length).toBeGreaterThan(stopped + many / 1_000)
      expect(Math.max(...asked)).toBeLessThanOrEqual(1_000)
      expect(lines).toBe(3 + 7 + many)
      expect(last).toContain(String(997_460 + many))
    } finally {
      database.all = all
    }
  })
})

test.each([
  ['=1+1', `"'=1+1"`],
  ['＝1+1', `"'＝1+1"`],
  ['＋44', `"'＋44"`],
  ['－1', `"'－1"`],
  ['＠SUM(1)', `"'＠SUM(1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['say "hi"', '"say ""hi"""'],
  ['a,b;c', '"a,b;c"'],
  ['', '""'],
  [-5, '-5'],
  [null, ''],
  [{ credits: -500 }, '-0.50'],
  [{ credits: 1_000_001 }, '1000.001'],
])('a cell of %j is written %s', (cell, written) => {
  expect(csvRow([cell])).toBe(`${written}\r\n`)
})
