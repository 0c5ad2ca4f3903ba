// Each answer of a check is cut inside its body, its headers and cookie having arrived. The consumer does what the
// screen offers and ends with the report, paid for once.
import { isCurrent } from './echo-nonce.ts'
import { expect, type Shopper, test } from './faults/stage.ts'
import type { Seen } from './lender/web-server.ts'

/** `npm run prove last-metre` cuts at every tenth, and does each journey many times. */
const TENTHS = process.env.EVERY_TENTH === '1' ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] : [0, 5, 9]
const COOL_DOWN_MS = 31_000

const ANSWERS: { [name: string]: (asked: Seen) => boolean } = {
  'how things stand': ({ method, path }) => method === 'GET' && isCurrent(path),
  'the details': ({ method, path }) => method === 'POST' && path === '/credit-reports',
  'another text': ({ path }) => path.endsWith('/resend-sms'),
  'the right code': ({ path }) => path.endsWith('/otp-challenge'),
}

for (const [name, isAnswer] of Object.entries(ANSWERS))
  for (const tenth of TENTHS)
    test(`the answer to ${name} is cut after ${tenth} tenths`, async ({ shopper, page, front, books, expectCost }) => {
      let cuts = 0
      front.disturb = (asked) => (isAnswer(asked) && cuts++ === 0 ? tenth / 10 : undefined)
      await page.clock.install()
      await shopper.openFilled()
      await shopper.goToAnswers()
      await shopper.agree()
      await insist(shopper, 'Check your phone', 'Try again')
      const isResent = name === 'another text'
      if (isResent) {
        await expect(async () => {
          await page.clock.runFor(COOL_DOWN_MS)
          if ((await books.countTexts()) < 2) await shopper.press('Send a new code')
          expect(await books.countTexts()).toBe(2)
        }).toPass()
      }
      await shopper.giveCode(await books.newestCode())
      await insist(shopper, 'Your credit report', 'Continue')
      expect(cuts).toBeGreaterThan(0)
      await expectCost({ texts: isResent ? 2 : 1 })
    })

/** Presses what the screen offers until the heading is there. */
async function insist({ widget }: Shopper, heading: string, again: string): Promise<void> {
  const arrived = widget.getByRole('heading', { name: heading, exact: true })
  const retry = widget.getByRole('button', { name: again, exact: true })
  await expect(async () => {
    if (!(await arrived.isVisible()) && (await retry.isEnabled({ timeout: 100 }).catch(() => false)))
      await retry.click({ timeout: 1_000 })
    await expect(arrived).toBeVisible({ timeout: 5_000 })
  }).toPass()
}
