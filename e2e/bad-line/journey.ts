// A person who comes to the report over a bad line, live: opens the page, reloads it at the code and on the report, and
// each time does what the screen offers. Whatever the line does, that is one report, one charge and one text.
import type { Page } from '@playwright/test'
import { isCurrent } from '../echo-nonce.ts'
import type { Books } from '../faults/ledger.ts'
import { expect, type Shopper, test } from '../faults/stage.ts'
import type { Front, Loss, Seen } from '../lender/web-server.ts'

type Moment = 'opening' | 'reload at the code' | 'reload on the report'

/** The requests of a journey, and from when on the line is bad for them. */
export const REQUESTS: { [name: string]: { is: (asked: Seen) => boolean; from: Moment; isBeside?: boolean } } = {
  'current when the page opens': { is: asksCurrent, from: 'opening' },
  'current after a reload at the code': { is: asksCurrent, from: 'reload at the code' },
  'current after a reload on the report': { is: asksCurrent, from: 'reload on the report' },
  'the details': { is: ({ method, path }) => method === 'POST' && path === '/credit-reports', from: 'opening' },
  'the code': { is: ({ path }) => path.endsWith('/otp-challenge'), from: 'opening' },
  'a draft': { is: ({ path }) => path.endsWith('/draft'), from: 'opening', isBeside: true },
  'a step': { is: ({ path }) => path.endsWith('/steps'), from: 'opening', isBeside: true },
  'the part after the form': { is: ({ path }) => /\/check\.[^/]*\.js/.test(path), from: 'opening' },
}

/** The answer to an earlier page, before there was a check. */
const KEPT = JSON.stringify({ meta: { test: false, nonce: 'of-another-page' }, data: { status: 'none' } })

export const FAULTS: { [name: string]: Loss } = {
  '502': { status: 502, body: '<h1>Bad gateway</h1>' },
  html: { status: 200, body: '<!doctype html><title>Free Wi-Fi</title>' },
  slow: 'held-answer',
  cut: 'answer',
  cached: { status: 200, body: KEPT },
  redirected: { status: 302, location: '/page/sign-in' },
}

export type Row = { request: string; fault: string; times: number }

/** A browser keeps what it was given for a file, and a cache keeps no answer to a POST. */
export function isPossible({ request, fault }: Row): boolean {
  return fault !== 'cached' || request.startsWith('current')
}

export function playRow({ request, fault, times }: Row): void {
  test(`${fault} ${times === 1 ? 'once' : `${times} times`}: ${request}`, async ({
    shopper,
    page,
    front,
    books,
    expectCost,
  }) => {
    const { is, from, isBeside = false } = REQUESTS[request] ?? { is: () => false, from: 'opening' }
    let disturbed = 0
    const worsen = (now: Moment) => {
      if (now === from)
        disturb(front, isBeside, (asked) => (is(asked) && disturbed++ < times ? FAULTS[fault] : undefined))
    }
    // An answer may arrive between reading a screen and acting on it: the next round then sees the new screen.
    page.setDefaultTimeout(5_000)
    await page.clock.install()
    worsen('opening')
    await shopper.openFilled()
    await insist(shopper, page, books, 'Check your phone')
    worsen('reload at the code')
    await page.reload()
    await insist(shopper, page, books, 'Your credit report')
    worsen('reload on the report')
    await page.reload()
    await insist(shopper, page, books, 'Your credit report')
    expect(disturbed).toBeGreaterThan(0)
    await expectCost({})
  })
}

function asksCurrent({ method, path }: Seen): boolean {
  return method === 'GET' && isCurrent(path)
}

function disturb(front: Front, isBeside: boolean, how: Front['disturb']): void {
  if (isBeside) front.disturbBeside = how
  else front.disturb = how
}

/** Does what each screen offers until the heading is there; time goes faster than usual. */
async function insist(
  { widget, fill, giveCode, press }: Shopper,
  page: Page,
  books: Books,
  goal: string,
): Promise<void> {
  const heading = widget.getByRole('heading', { level: 2 }).first()
  const offers: { [heading: string]: () => Promise<unknown> } = {
    'Your details': async () => {
      await fill({
        ...{ 'First name': 'Sam', 'Last name': 'Patel', Day: '27', Month: '3', Year: '1985' },
        'UK mobile number': books.mobileNumber,
      })
      await press('Continue')
    },
    'Where do you live?': async () => {
      await fill({ 'Building number': '10', 'Town or city': 'Leeds', Postcode: 'LS1 4AP', Month: '5', Year: '2012' })
      await press('Continue')
    },
    'Check your answers': () => press('Agree and check my credit report'),
    'Check your phone': async () => giveCode(await books.newestCode()),
  }
  const again = widget.getByRole('button', { name: /^(?:Try again|Carry on)$/ })
  await expect(async () => {
    const shown = (await heading.textContent({ timeout: 1_000 })) ?? ''
    if (shown === goal) return
    if (await again.isVisible()) await again.click({ timeout: 1_000 })
    else await offers[shown]?.()
    await page.clock.runFor(5_000)
    expect(await heading.textContent({ timeout: 1_000 })).toBe(goal)
  }).toPass({ intervals: [200] })
}
