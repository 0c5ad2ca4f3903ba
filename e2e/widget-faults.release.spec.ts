// After every fault the consumer reads what happened and what to do, and nothing they typed is lost.

import type { Route } from '@playwright/test'
import { CODE, type Consumer, expect, test } from './widget-pages/stage.ts'
import type { Instead } from './widget-pages/stand-in-proxy.ts'

const error = (status: number, code: string, headers = {}): Instead => ({
  status,
  body: { code, message: code },
  headers,
})
const unavailable = 'This check is not available right now'
const broken = 'Sorry, something went wrong at our end'

/** One row per way a report can fail to be started: what the server does, and the heading. */
const rows: [string, Instead[], string][] = [
  ['401', [error(401, 'unauthorized')], 'Your session has ended'],
  ['402', [error(402, 'insufficient-funds')], unavailable],
  ['402 by its other name', [error(402, 'insufficient-credits')], unavailable],
  ['403', [error(403, 'forbidden')], unavailable],
  ['404', [error(404, 'not-found')], unavailable],
  ['429', [error(429, 'rate-limited', { 'Retry-After': '600' })], 'Wait a few minutes, then try again'],
  ['500, three times', Array(3).fill(error(500, 'internal-error')), broken],
  ['a web page instead of an answer', Array(3).fill({ text: '<!doctype html><title>Hello</title>' }), broken],
  ['half an answer', Array(3).fill({ body: { meta: { test: true }, data: {} } }), broken],
  ['no answer at all', Array(3).fill({ cut: 'before' }), broken],
  ['an unknown status', [{ body: { meta: { test: true }, data: { status: 'pending' } } }], unavailable],
  [
    'an unknown kind of challenge',
    [{ body: { meta: { test: true }, data: { status: 'authentication-required', challengeType: 'voice' } } }],
    unavailable,
  ],
]

for (const [name, answers, heading] of rows)
  test(`starting a report: ${name}`, async ({ consumer, standIn }) => {
    await consumer.open()
    await toShortAnswers(consumer)
    standIn.instead('/run-1', ...answers)
    await consumer.agree()
    await consumer.seeHeading(heading)
    await expect(consumer.widget).not.toContainText(/wallet|funds|credits|quota/i)
    const again = consumer.widget.getByRole('button', { name: /Try again|Carry on/ })
    if ((await again.count()) === 0 || heading.startsWith('Wait')) return
    await again.click()
    await consumer.seeHeading('Check your phone')
  })

test('where a check is not available, whom to ask stands apart from what was said before', async ({
  consumer,
  standIn,
}) => {
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', error(402, 'insufficient-funds'))
  await consumer.agree()
  const said = consumer.widget.getByText('No search was made')
  const advice = consumer.widget.getByText('Ask the company that sent you here')
  await expect(advice).toBeVisible()
  const { y = 0, height = 0 } = (await said.boundingBox()) ?? {}
  expect((await advice.boundingBox())?.y).toBeGreaterThan(y + height + 8)
})

test('what the server refuses lands on the right inputs', async ({ consumer, standIn }) => {
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', {
    status: 400,
    body: { code: 'validation-error', message: 'lastName: must not be empty; dateOfBirth: must be in the past' },
  })
  await consumer.agree()
  await consumer.seeHeading('Your details')
  await expect(consumer.field('Last name')).toHaveAccessibleDescription(
    'Error: Last name was not accepted. Check it and try again',
  )
  await expect(consumer.field('Last name')).toHaveValue('Patel')
  for (const part of ['Day', 'Month', 'Year'])
    await expect(consumer.field(part)).toHaveAccessibleDescription(/Date of birth was not accepted/)
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
})

test('an answer lost on the way is not asked and paid for twice', async ({ consumer, standIn }) => {
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', { cut: 'after' })
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  const started = standIn.seen.filter(({ method }) => method === 'POST')
  expect(started).toHaveLength(2)
  expect(new Set(started.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('pressing twice starts one report', async ({ consumer, standIn }) => {
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', { isHeld: true })
  await consumer.widget.getByRole('button', { name: 'Agree and check my credit report' }).dblclick()
  await expect.poll(() => standIn.seen.filter(({ method }) => method === 'POST').length).toBeGreaterThan(0)
  standIn.release()
  await consumer.seeHeading('Check your phone')
  expect(standIn.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('the key of a lost request survives a reload; one the server has no more use for is replaced', async ({
  consumer,
  page,
  standIn,
}) => {
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', ...Array(3).fill({ cut: 'before' }))
  await consumer.agree()
  await consumer.seeHeading(broken)
  const first = standIn.seen.find(({ method }) => method === 'POST')?.headers['idempotency-key']
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('Sam')

  await page.reload()
  await toShortAnswers(consumer)
  standIn.seen.length = 0
  standIn.instead('/run-1', {
    status: 400,
    body: { code: 'validation-error', message: 'Idempotency-Key: begin again with a new key' },
  })
  await consumer.agree()
  await consumer.seeHeading(broken)
  await consumer.press('Try again')
  await consumer.seeHeading('Check your phone')
  const keys = standIn.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
  expect(keys[0]).toBe(first)
  expect(keys[1]).not.toBe(first)
})

test('offline is shown, and everything is still there afterwards', async ({ consumer, page }) => {
  await consumer.open()
  await toShortAnswers(consumer)
  await page.context().setOffline(true)
  await consumer.agree()
  await consumer.seeHeading('You are not connected to the internet')
  await page.context().setOffline(false)
  await consumer.press('Try again')
  await consumer.seeHeading('Check your phone')
})

test('a server that names a time is not asked before it', async ({ consumer, page, standIn }) => {
  await page.clock.install()
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', error(429, 'rate-limited', { 'Retry-After': '120' }))
  await consumer.agree()
  const again = consumer.widget.getByRole('button', { name: 'Try again' })
  await expect(again).toHaveAttribute('aria-disabled', 'true')
  await expect(consumer.widget).toContainText(/You can try again at \d\d:\d\d/)
  await page.clock.runFor(121_000)
  await again.click()
  await consumer.seeHeading('Check your phone')
})

test('nor is anyone kept waiting whose device slept through that time', async ({ consumer, page, standIn }) => {
  await page.clock.install()
  await consumer.open()
  await toShortAnswers(consumer)
  standIn.instead('/run-1', error(429, 'rate-limited', { 'Retry-After': '600' }))
  await consumer.agree()
  const again = consumer.widget.getByRole('button', { name: 'Try again' })
  await expect(again).toHaveAttribute('aria-disabled', 'true')
  // The clock has gone on; the page's timers have not.
  await page.clock.setSystemTime(Date.now() + 700_000)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await again.click()
  await consumer.seeHeading('Check your phone')
})

test('a fingerprint script that is blocked says so, and can be tried again', async ({ consumer, page }) => {
  await page.clock.install()
  await page.route('**/v1/fingerprints/device', (route) => route.abort())
  await consumer.open()
  await toShortAnswers(consumer)
  await consumer.agree()
  await consumer.seeHeading('Checking your details')
  await page.clock.runFor(15_000)
  await consumer.seeHeading('Your browser stopped a security check')
  await expect(consumer.widget).toContainText('ad blocker')
  await page.unroute('**/v1/fingerprints/device')
  await consumer.press('Try again')
  await consumer.seeHeading('Check your phone')
})

test('where only the server knows the fingerprint script, a bad start is not the end', async ({
  consumer,
  page,
  standIn,
}) => {
  await page.clock.install()
  standIn.instead('/current', ...Array.from({ length: 3 }, () => ({ status: 503 })))
  await page.goto(standIn.page({ attributes: 'address-history-months="0"', fingerprint: '' }))
  await toShortAnswers(consumer)
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000)
      return standIn.seen.filter(({ path }) => path.endsWith('/current')).length
    })
    .toBeGreaterThan(3)
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
})

test('a chunk that does not load can be asked for again, and nothing typed is lost', async ({
  consumer,
  page,
  standIn,
}) => {
  await page.route('**/check.*.js*', (route) => route.abort())
  await page.goto(standIn.page({ attributes: 'address-history-months="0"' }))
  await consumer.giveDetails()
  await consumer.seeHeading(broken)
  await page.unroute('**/check.*.js*')
  await consumer.press('Try again')
  await consumer.fill({ 'Building number': '10', 'Town or city': 'Leeds', Postcode: 'LS1 4AP' })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await expect(consumer.widget).toContainText('07700 900123')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
})

for (const [what, meet] of [
  ['blocked', (route) => route.abort()],
  ['slow', () => undefined],
] satisfies [string, (route: Route) => unknown][])
  test(`someone under 18 reads so while the rest of the widget is ${what}`, async ({ consumer, page, standIn }) => {
    await page.route('**/check.*.js*', meet)
    await page.goto(standIn.page())
    await consumer.giveDetails({ Day: '1', Month: '1', Year: '2015' })
    await consumer.seeHeading('You need to be 18 or over')
    await expect(consumer.widget).not.toContainText('Checking your details')
    await consumer.press('Change my date of birth')
    await consumer.giveDetails({ Year: '1985' })
    await expect(consumer.widget).not.toContainText('18 or over')
  })

test.describe('at the code', () => {
  const cases: [string, Instead, RegExp][] = [
    ['500', error(500, 'internal-error'), /We could not check the code. Press Continue/],
    ['a cut connection', { cut: 'before' }, /We could not check the code. Press Continue/],
    ['429', error(429, 'rate-limited', { 'Retry-After': '30' }), /Wait until \d\d:\d\d, then try again/],
  ]
  for (const [name, answer, words] of cases)
    test(`${name} leaves the code where it is`, async ({ consumer, standIn }) => {
      await consumer.open()
      await toShortAnswers(consumer)
      await consumer.agree()
      await consumer.seeHeading('Check your phone')
      standIn.instead('/otp-challenge', answer)
      await consumer.giveCode(CODE)
      await expect(consumer.widget.getByText(words)).toBeVisible()
      await expect(consumer.field('Security code')).toHaveValue(CODE)
      await consumer.press('Continue')
      await consumer.seeHeading('Your credit report')
    })

  for (const [status, code] of [
    [410, 'challenge-expired'],
    [404, 'challenge-not-found'],
    [404, 'credit-report-not-found'],
  ] as const)
    test(`${status} ${code} offers a new code once the server says that it is over`, async ({ consumer, standIn }) => {
      await consumer.open()
      await toShortAnswers(consumer)
      await consumer.agree()
      await consumer.seeHeading('Check your phone')
      standIn.instead('/otp-challenge', error(status, code))
      standIn.instead('/current', { body: { meta: { test: false }, data: { status: 'expired' } } })
      await consumer.giveCode(CODE)
      await consumer.seeHeading('That code has expired')
      await consumer.press('Send a new code')
      await consumer.seeHeading('Check your phone')
    })
})

test('a proxy that is not there is reported before anyone fills in anything', async ({ consumer, page, standIn }) => {
  await page.goto(standIn.page({ attributes: 'endpoint="/nothing-here"' }))
  await consumer.seeHeading(unavailable)
})

test('an endpoint on another origin gets nothing', async ({ consumer, page, standIn }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(standIn.page({ attributes: 'endpoint="https://elsewhere.example/x"' }))
  await consumer.seeHeading(unavailable)
  expect(asked.filter((url) => url.startsWith('https://elsewhere'))).toEqual([])
})

/** The shortest way to "Agree": as `toAnswers`. */
async function toShortAnswers(consumer: Consumer): Promise<void> {
  await consumer.giveDetails()
  await consumer.seeHeading('Where do you live?')
  const hasDates = (await consumer.widget.getByLabel('Year', { exact: true }).count()) > 0
  const answers = { 'Building number': '10', 'Town or city': 'Leeds', Postcode: 'LS1 4AP' }
  await consumer.fill(hasDates ? { ...answers, Month: '9', Year: '2015' } : answers)
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
}
