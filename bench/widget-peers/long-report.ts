// The longest task while the widget takes in and draws a report of five hundred accounts, on a phone four times slower
// than this machine. Counted in processor time, so that whatever else the machine does meanwhile is not counted; a
// virtual machine's count sometimes leaps ahead of the clock, so a task takes at most as long as it lasted.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { CPU_SLOWER, PHONE_SCREEN } from '../phone.ts'

const ACCOUNTS = 500
const COMPANIES_SEARCHING = 60
const ROUNDS = 9
/** A browser calls a task long from here on. */
export const LONG_TASK_MS = 50

const PAGE =
  '<!doctype html><title>x</title><credit-report-widget></credit-report-widget><script src="/credit-reports/widget.js"></script>'

/** The longest task of each round, in milliseconds. */
export async function measureLongReport(browser: Browser): Promise<number[]> {
  const data = longAnswer()
  const answer = (nonce: string | null) => JSON.stringify({ meta: { test: true, nonce }, data })
  // The report comes when the page has long been ready, as it does in life.
  let gate = closedGate()
  const server = createServer(async (request, response) => {
    const file = /^\/credit-reports\/([\w.-]+\.js)/.exec(request.url ?? '')?.[1]
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://any')
    const isAnswer = pathname === '/credit-reports/current'
    if (isAnswer) await gate.opened
    const type = file ? 'text/javascript' : isAnswer ? 'application/json' : 'text/html'
    response.writeHead(200, { 'Content-Type': type })
    response.end(file ? readFileSync(join('dist/widget', file)) : isAnswer ? answer(searchParams.get('nonce')) : PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`
  try {
    const longest: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      gate = closedGate()
      longest.push(await drawOnce(browser, address, gate.open))
    }
    return longest
  } finally {
    server.close()
  }
}

function closedGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

async function drawOnce(browser: Browser, address: string, release: () => void): Promise<number> {
  const context = await browser.newContext({ viewport: PHONE_SCREEN })
  const page = await context.newPage()
  const asked = page.waitForRequest('**/current?*')
  await page.goto(address)
  await asked
  // The test tool's own nodes are in the page before counting begins.
  await page.waitForFunction(() => true)
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] })
  release()
  // Accounts beyond the first of each group are folded, and drawn when they are asked for.
  await page.waitForFunction(
    () => {
      const report = document.querySelector('credit-report-widget')?.shadowRoot?.querySelector('.report')
      // A template is where more is to come.
      return report && !report.querySelector('template')
    },
    undefined,
    { polling: 500 },
  )
  const longestMs = longestTaskMs(await browser.stopTracing()) * CPU_SLOWER
  await context.close()
  return longestMs
}

type TraceEvent = { name: string; pid: number; tid: number; dur?: number; tdur?: number; args: { name?: string } }

/** Of the page's own thread: the one named so that ran the most tasks. */
function longestTaskMs(trace: Buffer): number {
  const events: TraceEvent[] = JSON.parse(trace.toString()).traceEvents
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const tasks = threads.map(({ pid, tid }) =>
    events.filter((event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid),
  )
  const [ours = []] = tasks.sort((a, b) => b.length - a.length)
  return Math.max(...ours.map(({ dur = 0, tdur = 0 }) => Math.min(dur, tdur))) / 1000
}

function longAnswer() {
  const money = (amount: number) => ({ amount, currency: 'GBP' })
  const day = (index: number) => `20${10 + (index % 15)}-0${1 + (index % 9)}-1${index % 10}`
  return {
    status: 'complete',
    creditReportId: 'bench',
    creditReport: {
      person: { firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27' },
      residencies: [],
      consumerData: {
        records: Array.from({ length: ACCOUNTS }, (_, index) => ({
          firstName: 'Sam',
          lastName: 'Patel',
          accountNumber: `****${1000 + index}`,
          accountType: ['hire-purchase', 'credit-card', 'mortgage', 'current-account'][index % 4],
          accountStatus: index % 3 === 0 ? 'settled' : 'open',
          companyType: 'bank',
          companyName: `Bank ${index % 40}`,
          numberOfPayments: 48,
          repaymentPeriod: 48,
          payment: money(20_000),
          startBalance: money(960_000),
          balance: money(1_000 * index),
          startDate: day(index),
          bureaus: [{ id: 'equifax', ref: `EQ-${index}` }],
        })),
      },
      previousSearches: {
        providers: Array.from({ length: COMPANIES_SEARCHING }, (_, index) => ({
          companyName: `Lender ${index}`,
          records: [{ date: `${day(index)}T09:00:00Z` }],
        })),
      },
    },
  }
}
