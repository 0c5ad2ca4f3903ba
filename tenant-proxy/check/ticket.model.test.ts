// One check in one browser, by any order of steps: two tabs, two processes of the lender, lost answers, restarts, older
// copies of the cookie. The model knows what each tab has proved, and every answer is held against it.
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestBrowser, ORIGIN } from '../../testing/proxy-browser.ts'
import { report } from '../../testing/proxy-mount.ts'
import { proxyOptions, sampleDetails, startTestService, type TestService } from '../../testing/proxy-service.ts'
import { createTenantProxy } from '../tenant-proxy.ts'

const MINUTE_MS = 60_000
const CURRENT = '/credit-reports/current'
// More of those that are needed in a row: a sight, a wait, another sight.
const DOES = [
  ...(['reload', 'reload', 'wait', 'wait'] as const),
  'check',
  'reload',
  'right code',
  'wrong code',
  'right date',
  'wrong date',
  'close',
  'decide',
  'wait',
  'restart',
  'older cookie',
] as const
type Step = { does: (typeof DOES)[number]; tab: string; process: number; isLost: boolean; minutes: number }

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function play(steps: readonly Step[]): Promise<void> {
  let nowMs = Date.parse('2026-11-15T12:00:00Z')
  const start = () =>
    createTenantProxy({ ...proxyOptions(service), clock: () => nowMs, limits: { generatesMax: 100, writesMax: 1_000 } })
  const processes = [start(), start()]
  let asked = 0
  const processOf = () => processes[asked] ?? start()
  const browser = createTestBrowser((request, context) => processOf()(request, context))
  service.reports.clear()

  const began = await report(await browser.generate())
  const { creditReportId = '' } = began
  const challengeId = began.challenge?.challengeId
  const atCodeScreen = new Map(browser.cookies)

  let completedAtMs: number | null = null
  let isClosed = false
  /** When an answer with the report left, and when the browser last got one. */
  let [shownAtMs, seenAtMs] = [0, 0]
  let [wrongCodes, codes] = [0, 0]
  /** Tabs that gave the right code or date, and those whose cookie the browser has kept since. */
  const [proved, sure] = [new Set<string>(), new Set<string>()]
  const wrongDates = () => service.reports.get(creditReportId)?.opens ?? 0

  for (const { does, tab, process, isLost, minutes } of steps) {
    const isComplete = completedAtMs !== null
    asked = process
    browser.tab = tab
    if (does === 'wait' && isComplete) nowMs += minutes * MINUTE_MS
    // An hour after the end the check is forgotten.
    if (completedAtMs !== null && nowMs >= completedAtMs + 60 * MINUTE_MS) return
    if (does === 'restart') processes[process] = start()
    if (does === 'older cookie' && !isClosed) {
      browser.cookies = new Map(atCodeScreen)
      sure.clear()
      seenAtMs = 0
    }
    if (does === 'decide') {
      const cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
      const decision = await processOf().decide(new Request(ORIGIN, { headers: { Cookie: cookie } }))
      expect(decision).toMatchObject({ status: isComplete ? 'complete' : 'open', creditReportId })
    }
    const submit = (code: string) =>
      browser.post(`/credit-reports/${creditReportId}/otp-challenge`, { challengeId, code })
    const open = (dateOfBirth: string) => browser.post(`${CURRENT}/open`, { dateOfBirth })
    // Two wrong codes at most: a third ends the check. Nine codes at most: a process passes on ten.
    if (does === 'wrong code' && !isComplete) wrongCodes += 1
    if (does.endsWith('code')) codes += 1
    const requests: { [step in Step['does']]?: () => Promise<Response> } = {
      check: () => browser.generate(),
      reload: () => browser.get(CURRENT),
      ...(codes <= 9 && { 'right code': () => submit('123456') }),
      ...((wrongCodes <= 2 || isComplete) && codes <= 9 && { 'wrong code': () => submit('000000') }),
      ...(isComplete && {
        'right date': () => open(sampleDetails.dateOfBirth),
        'wrong date': () => open('1900-01-01'),
        close: () => browser.delete(CURRENT),
      }),
    }
    const request = requests[does]
    if (!request) continue

    const before = new Map(browser.cookies)
    const mayOpen = wrongDates() < 3
    const isOwn = sure.has(tab) && nowMs < seenAtMs + 15 * MINUTE_MS && !does.endsWith('date')
    const data = await report(await request())
    expect(service.reports.size).toBe(1)
    if (does === 'right code' && !isComplete) completedAtMs = nowMs
    if (does === 'right code' || (does === 'right date' && mayOpen)) proved.add(tab)
    if (does === 'close') {
      isClosed = true
      continue
    }
    if (isLost) browser.cookies = before
    if (completedAtMs === null) {
      expect(['authentication-required', 'retry']).toContain(data.status)
      continue
    }

    expect(data).toMatchObject({ status: 'complete', creditReportId })
    if (data.creditReport) {
      expect(proved).toContain(tab)
      expect(isClosed).toBe(false)
      const isNew = does === 'right code' || does === 'right date'
      expect(isNew || nowMs < shownAtMs + 15 * MINUTE_MS).toBe(true)
      shownAtMs = nowMs
      if (!isLost) {
        sure.add(tab)
        seenAtMs = nowMs
      }
    } else {
      expect(data.closed).toBe(true)
      expect(isOwn && !isClosed).toBe(false)
      const { attemptsRemaining } = data.opening ?? {}
      if (isClosed) expect(attemptsRemaining).toBeUndefined()
      else if (nowMs < seenAtMs + 15 * MINUTE_MS && wrongDates() === 0) expect(attemptsRemaining).toBe(3)
    }
  }
}

test('a report is shown to the tab that proved it, a check is bought once, and the lender can decide by it for an hour', async () => {
  const step = fc.record({
    does: fc.constantFrom(...DOES),
    tab: fc.constantFrom('tab-1', 'tab-1', 'tab-2'),
    process: fc.nat(1),
    isLost: fc.boolean(),
    minutes: fc.integer({ min: 5, max: 15 }),
  })
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25, size: 'max' }), play), { numRuns: 150 })
}, 120_000)
