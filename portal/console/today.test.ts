import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { mainOf, type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { testRequest } from '../../testing/test-app.ts'
import { type By, periodOf, periodsUpTo } from './today-periods.ts'

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
    await countLive(['code-right', 50, 1_500_000], ['without-code', 30], ['end-complete', 80], ['end-blocked', 10])
    await countLive(['end-failed-attempts', 7], ['end-refused-cap', 3], ['text-accepted', 64], ['text-delivered', 60])
    await countLive(['text-undelivered', 2], ['generate-500', 50], ['generate-2000', 50])
    const text = await page()
    const words = wordsOf(text)
    expect(words).toContain('Checks 100 so far; the whole day before: 0')
    expect(text).toContain('<h1>Today</h1>')
    expect(text).toContain('class="open"')
    expect(words).toContain('Reports 80 80 % of the checks')
    expect(words).toContain('Details given 150 75 % 60 ')
    expect(words).toContain('Code right 50 25 % 30 ')
    expect(words).toContain('Failed: three wrong codes 7 % 7')
    expect(words).toContain('No receipt yet 3 % 2')
    expect(words).toContain('Until the details are answered 100 0.5 s 1.9 s')
    expect(text.match(/<summary>As a table/g)).toHaveLength(5)
    // The policy of the page allows neither.
    expect(mainOf(text)).not.toMatch(/<script|style=/)
  })

  test('the day before is one link away; how long the balance lasts is the ledger’s figure', async () => {
    await service.database.run(`UPDATE stat SET day = '${calendarDay(service.time.nowMs - 86_400_000)}'`)
    expect(wordsOf(await page())).toContain('Lasts for No end nothing was spent in the last day')
    const yesterday = await page(`?at=${calendarDay(service.time.nowMs - 86_400_000)}`)
    expect(wordsOf(yesterday)).toContain('Checks 100 the day before: 0')
    // A period that is over is named, and nothing of it is unfinished.
    expect(yesterday).toMatch(/<h1>\w+day, \d+ \w+ \d{4}<\/h1>/)
    expect(yesterday).not.toMatch(/class="open"|so far|not over/)
    expect(await page('?by=month')).toContain('<h1>This month</h1>')
    await service.database.run('DELETE FROM stat')
  })

  test('test checks are counted apart, as they happen, and cost nothing', async () => {
    await service.generate(testRequest('block'))
    await service.stats.flush()
    const words = wordsOf(await page('?mode=test'))
    expect(words).toContain('Blocked by the risk check 100 % 1')
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

test('the periods of a chart follow one another without a gap', () => {
  for (const by of ['day', 'week', 'month'] as const) {
    const periods = periodsUpTo(by, periodOf(by, undefined, NOW_MS), 12)
    expect(periods).toHaveLength(12)
    for (const [index, { to }] of periods.slice(0, -1).entries()) {
      expect(Date.parse(periods[index + 1]?.from ?? '') - Date.parse(to)).toBe(86_400_000)
    }
  }
})
