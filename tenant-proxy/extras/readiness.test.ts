// A lender whose wallet is too low: the next consumer hears so before they fill in a form.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { enveloped } from '../../testing/data-of.ts'
import { createTestBrowser } from '../../testing/proxy-browser.ts'
import { createTestMount, refused, type TestMount } from '../../testing/proxy-mount.ts'

const PRICE = { reportPriceCredits: 500, textPriceCredits: 40, heldCredits: 0, tenantId: 'demo-lender' }

let at: TestMount
/** The balance of the service's wallet; it refuses a check that costs more. */
let balanceCredits: number
let walletAsked: number
beforeEach(async () => {
  at = await createTestMount()
  balanceCredits = 10_000
  walletAsked = 0
  at.service.misbehave = ({ method, path }, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
      return true
    }
    if (path.endsWith('/wallet')) {
      walletAsked += 1
      return answer(200, enveloped({ ...PRICE, balanceCredits }))
    }
    const isRefused = method === 'POST' && path.endsWith('/credit-reports') && balanceCredits < PRICE.reportPriceCredits
    return isRefused && answer(402, { code: 'insufficient-funds', message: 'too low' })
  }
})
afterEach(() => at.service.stop())

const newcomer = () => createTestBrowser(at.proxy).get('/credit-reports/current')

test('a lender that can pay is never asked for its wallet', async () => {
  expect((await newcomer()).status).toBe(200)
  await at.browser.generate()
  expect((await newcomer()).status).toBe(200)
  expect(walletAsked).toBe(0)
})

test('after one refusal no consumer fills in a form for nothing, until there are credits again', async () => {
  balanceCredits = 499
  expect((await at.browser.generate()).status).toBe(402)
  expect(await refused(await newcomer())).toMatchObject({ status: 402, code: 'insufficient-funds' })
  at.nowMs += 14_999
  expect((await newcomer()).status).toBe(402)
  expect(walletAsked).toBe(0)
  at.nowMs += 1
  expect((await newcomer()).status).toBe(402)
  expect(walletAsked).toBe(1)
  balanceCredits = 500
  at.nowMs += 15_000
  expect((await newcomer()).status).toBe(200)
  expect((await newcomer()).status).toBe(200)
  expect(walletAsked).toBe(2)
})

test('a wallet that is too low is one event, and another after it was filled in between', async () => {
  const count = () => at.events.filter((event) => 'operation' in event && event.operation === 'current').length
  const look = async (credits: number) => {
    balanceCredits = credits
    at.nowMs += 15_000
    await newcomer()
    return count()
  }
  const refuse = async () => {
    balanceCredits = 499
    expect((await at.browser.generate()).status).toBe(402)
  }
  await refuse()
  expect([await look(499), await look(499), await look(500)]).toEqual([1, 1, 1])
  await refuse()
  expect(await look(499)).toBe(2)
})

test('of two that come at once, one asks for the wallet and the other keeps to what is known', async () => {
  balanceCredits = 499
  await at.browser.generate()
  balanceCredits = 500
  at.nowMs += 15_000
  const answers = await Promise.all([newcomer(), newcomer()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 402])
  expect(walletAsked).toBe(1)
})

/** The next checks are answered at once, at this cost. */
function answerAt(wallet: { cost: number; balance: number }) {
  const data = { status: 'blocked', creditReportId: 'report-1', test: false }
  const body = JSON.stringify({ meta: { request: { timeTakenMs: 1 }, wallet }, data })
  at.service.misbehave = ({ path }, response) => {
    if (path === '/v1/oauth/token') return false
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)
    return true
  }
}

test.each([
  { cost: 500, balance: 499 },
  { cost: 1, balance: 0 },
])('a check of $cost that leaves $balance, too little for another one, is noticed at once', async (wallet) => {
  answerAt(wallet)
  await at.browser.generate()
  expect((await newcomer()).status).toBe(402)
  // A consumer who has begun is not refused.
  expect((await at.browser.get('/credit-reports/current')).status).toBe(200)
})

test('a check that cost nothing does not show that the next one can be paid', async () => {
  balanceCredits = 0
  await at.browser.generate()
  answerAt({ cost: 0, balance: 0 })
  expect((await at.browser.generate()).status).toBe(200)
  expect((await newcomer()).status).toBe(402)
})

test('a wallet that cannot be read refuses no check', async () => {
  balanceCredits = 0
  await at.browser.generate()
  at.service.misbehave = ({ path }, response) => {
    if (!path.endsWith('/wallet')) return false
    response.writeHead(503).end()
    return true
  }
  at.nowMs += 15_000
  expect((await newcomer()).status).toBe(200)
})

test('in test mode nothing is charged, so nothing is refused', async () => {
  balanceCredits = 0
  at.mount({ testScenarios: true })
  await at.browser.generate()
  expect((await newcomer()).status).toBe(402)
  const preview = createTestBrowser(at.proxy)
  expect((await preview.get('/credit-reports/test/allow/default/one/current')).status).toBe(200)
})

test('while the service is away a step of the form says so, for `diagnose()`; checks may be tried', async () => {
  const step = () => at.browser.post('/credit-reports/steps', {})
  expect((await step()).status).toBe(400)
  const { misbehave } = at.service
  let isUp = false
  at.service.misbehave = (request, response) => {
    if (isUp) return misbehave?.(request, response) ?? false
    response.destroy()
    return true
  }
  await at.browser.generate()
  expect(await refused(await step())).toMatchObject({ status: 503, code: 'unavailable' })
  expect((await newcomer()).status).toBe(200)
  isUp = true
  at.nowMs += 15_000
  expect((await step()).status).toBe(400)
})
