import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { mainOf, type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { liveRequest, testRequest } from '../../testing/test-app.ts'
import { type By, columnsOf, periodOf } from './today-periods.ts'

describe('the page', () => {
  let service: TestService
  let browser: TestBrowser
  beforeAll(async () => {
    service = await startTestService()
    browser = service.browser()
    await browser.signIn(...SAM, '/console')
  })
  afterAll(() => service.stop())
  const page = async (query = '') => (await browser.visit(`/console${query}`)).text

  async function countLive(...names: [name: string, count: number, sumMs?: number][]) {
    const day = new Date(service.time.nowMs).toISOString().slice(0, 10)
    for (const [name, count, sumMs = 0] of names) {
      const row = `INSERT INTO stat (tenant_id, test, day, name, count, sum_ms) VALUES ('demo-lender', 0, ?, ?, ?, ?)`
      await service.database.run(row, day, name, count, sumMs)
    }
  }

  test('a new lender is led to the reference, and sees its money', async () => {
    const words = wordsOf(await page())
    expect(words).toContain('No check has been made yet')
    expect(words).toContain('Balance £1,000.00 1,000,000 credits')
    expect(await page()).toContain('href="/docs"')
  })

  test('shows funnel, ends, texts, waiting and money of the day, each picture with its table', async () => {
    await countLive(['step-details', 200], ['step-address', 150, 9_000_000], ['asked', 100], ['code-sent', 60])
    await countLive(['code-right', 50, 1_500_000], ['without-code', 30], ['end-complete', 80], ['end-risk', 10])
    await countLive(
      ['end-attempts', 7],
      ['end-mobile-number', 3],
      ['turned-away-spend-cap', 2],
      ['text-accepted', 64],
      ['text-delivered', 60],
    )
    await countLive(['text-undelivered', 2], ['generate-500', 50], ['generate-2000', 50])
    const text = await page()
    const words = wordsOf(text)
    expect(words).toContain('Checks 100 0 the day before')
    expect(text).toMatch(/<h1>Today, \w+day, \d+ \w+ \d{4}<\/h1>/)
    expect(words).toContain('So far. Each check belongs to the day it was asked for. Days are UK days.')
    expect(text).toContain('class="open"')
    expect(words).toContain('Reports 80 80% of the checks')
    expect(words).toContain('Details given 150 75% 60 ')
    expect(words).toContain('Code right, or none needed 80 80% 30 ')
    expect(words).toContain('Failed: wrong code three times 7% 7')
    expect(words).toContain('No receipt yet 3% 2')
    expect(words).toContain('For the answer to the details 100 0.5 s 1.9 s')
    expect(text.match(/<summary>As a table/g)).toHaveLength(7)
    // The policy of the page allows neither.
    expect(mainOf(text)).not.toMatch(/<script|style=/)
  })

  test('the day before is one link away; how long the balance lasts is the ledger’s figure', async () => {
    await service.database.run(`UPDATE stat SET day = '${calendarDay(service.time.nowMs - 86_400_000)}'`)
    expect(wordsOf(await page())).toContain('Lasts for Not known nothing was spent in the last day')
    const yesterday = await page(`?at=${calendarDay(service.time.nowMs - 86_400_000)}`)
    expect(wordsOf(yesterday)).toContain('Checks 100 0 the day before')
    // A period that is over is named, and nothing of it is unfinished.
    expect(yesterday).toMatch(/<h1>\w+day, \d+ \w+ \d{4}<\/h1>/)
    expect(yesterday).not.toMatch(/class="open"|so far|not over/)
    expect(await page('?by=month')).toMatch(/<h1>This month, \w+ \d{4}<\/h1>/)
    await service.database.run('DELETE FROM stat')
  })

  test('a day that is over shows what it cost, and not what there is now', async () => {
    await service.generate(liveRequest('Allow'))
    await service.stats.flush()
    service.time.nowMs += 86_400_000
    await browser.signIn(...SAM, '/console')
    const today = wordsOf(await page())
    expect(today).toContain('Spent £0.00 £0.50 the day before')
    expect(today).toContain('Money now')
    const yesterday = await page(`?at=${calendarDay(service.time.nowMs - 86_400_000)}`)
    expect(wordsOf(yesterday)).toContain('Spent £0.50 £0.00 the day before')
    expect(yesterday).not.toContain('Money now')
    expect(wordsOf(await page('?mode=test'))).not.toContain('Spent')
    await service.database.run('DELETE FROM stat')
  })

  test('test checks are counted apart, as they happen, and cost nothing', async () => {
    await service.generate(testRequest('block'))
    await service.stats.flush()
    const words = wordsOf(await page('?mode=test'))
    expect(words).toContain('Blocked: risk assessment 100% 1')
    expect(words).not.toContain('Lasts for')
    expect(wordsOf(await page())).toContain('No check has been made yet')
  })

  test.each([
    '?by=year&mode=both&at=yesterday',
    '?at=9999-12-31',
    '?at=0001-01-01&by=month',
    `?by=${encodeURIComponent('"><script>')}&at=%E2%80%AE`,
    `?at=${'x'.repeat(200)}`,
  ])('an address that was edited by hand shows today: %s', async (query) => {
    const { response, text } = await browser.visit(`/console${query}`)
    expect(response.status).toBe(200)
    expect(mainOf(text)).not.toContain('<script>')
    expect(wordsOf(text)).toContain(new Date(service.time.nowMs).getUTCFullYear().toString())
  })

  test('no one sees another lender’s numbers', async () => {
    await service.database.run(
      `INSERT INTO stat (tenant_id, test, day, name, count, sum_ms) VALUES ('other-lender', 0, ?, 'asked', 4321, 0)`,
      calendarDay(service.time.nowMs),
    )
    expect(await page()).not.toContain('4,321')
  })
})

function calendarDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}

const NOW_MS = Date.UTC(2026, 10, 17, 0, 30)
const rows: [name: string, by: By, at: string | undefined, from: string, to: string, after: string | null][] = [
  ['today', 'day', undefined, '2026-11-17', '2026-11-17', null],
  ['yesterday', 'day', '2026-11-16', '2026-11-16', '2026-11-16', '2026-11-17'],
  ['a day to come is today', 'day', '2026-11-18', '2026-11-17', '2026-11-17', null],
  ['this week begins on Monday', 'week', undefined, '2026-11-16', '2026-11-22', null],
  ['a Sunday ends its week', 'week', '2026-11-15', '2026-11-09', '2026-11-15', '2026-11-16'],
  ['a week over the year’s end', 'week', '2026-01-01', '2025-12-29', '2026-01-04', '2026-01-05'],
  ['this month', 'month', undefined, '2026-11-01', '2026-11-30', null],
  ['a leap February', 'month', '2024-02-29', '2024-02-01', '2024-02-29', '2024-03-01'],
]
test.each(rows)('a period: %s', (_name, by, at, from, to, after) => {
  expect(periodOf(by, at, NOW_MS)).toMatchObject({ from, to, after })
})

test.each([
  ['last-7', undefined, '2026-11-11', '2026-11-17', 'Last 7 days', '2026-11-10', null],
  [
    'last-28',
    '2026-11-15',
    '2026-10-19',
    '2026-11-15',
    '19 October 2026 to 15 November 2026',
    '2026-10-18',
    '2026-11-17',
  ],
  ['last-90', '2026-05-01', '2026-02-01', '2026-05-01', '1 February 2026 to 1 May 2026', '2026-01-31', '2026-07-30'],
] as const)('%s up to %s', (by, at, from, to, name, before, after) => {
  expect(periodOf(by, at, NOW_MS)).toEqual({ from, to, name, before, after, isOpen: after === null })
})

test('in summer a day begins at midnight in the United Kingdom', () => {
  const late = Date.parse('2026-06-14T23:00:00Z')
  expect(periodOf('day', undefined, late)).toMatchObject({ from: '2026-06-15', isOpen: true })
  expect(periodOf('day', undefined, late - 1)).toMatchObject({ from: '2026-06-14', isOpen: true })
})

test.each([
  ['day', 30],
  ['week', 13],
  ['month', 12],
  ['last-7', 7],
  ['last-28', 28],
  ['last-90', 90],
] as const)('the %s chart has %d columns that follow one another without a gap and end with the period', (by, many) => {
  const period = periodOf(by, undefined, NOW_MS)
  const columns = columnsOf(by, period)
  expect(columns).toHaveLength(many)
  expect(columns.at(-1)?.to).toBe(period.to)
  for (const [index, { to }] of columns.slice(0, -1).entries()) {
    expect(Date.parse(columns[index + 1]?.from ?? '') - Date.parse(to)).toBe(86_400_000)
  }
})
