// The announcements of a screen reader: every change of a live region, from the first mistake to the end of the code's
// time.
import { expect, test } from './widget-pages/stage.ts'

type Said = { how: string; words: string; atMs: number }

const COOL_DOWN_MS = 31_000
/** Between two unrequested messages. */
const PAUSE_MIN_MS = 9_000

test('the transcript of a slow and clumsy check', async ({ consumer, page, standIn }) => {
  await page.clock.install()
  await page.addInitScript(() => {
    const said: Said[] = []
    Reflect.set(window, 'said', said)
    const attach = Element.prototype.attachShadow
    Element.prototype.attachShadow = function (options) {
      const root = attach.call(this, options)
      const before = new WeakMap<Element, string>()
      new MutationObserver(() => {
        for (const region of root.querySelectorAll('[role=status], [role=alert]')) {
          const words = region.textContent?.trim() ?? ''
          if (words === (before.get(region) ?? '')) continue
          before.set(region, words)
          if (words) said.push({ how: region.role ?? '', words, atMs: Date.now() })
        }
      }).observe(root, { childList: true, subtree: true, characterData: true })
      return root
    }
  })
  const transcript = async (): Promise<Said[]> => page.evaluate(() => Reflect.get(window, 'said'))
  const saidSince = async (count: number) =>
    (await transcript()).slice(count).map(({ how, words }) => `${how}: ${words}`)

  await consumer.open()
  await consumer.press('Continue')
  await consumer.toCode()
  expect(await saidSince(0)).toEqual([
    'alert: There is a problemAdd your first nameAdd your last nameAdd your date of birthAdd your UK mobile number',
  ])

  await consumer.giveCode('000000')
  await expect(consumer.widget.getByRole('alert')).toBeVisible()
  expect(await saidSince(1)).toEqual(['alert: There is a problemThat code does not match. You have 2 attempts left'])

  await page.clock.runFor(COOL_DOWN_MS)
  await consumer.press('Send a new code')
  await expect(consumer.widget.getByText('We have sent a new code')).toBeVisible()
  expect(await saidSince(2)).toEqual([
    'status: We have sent a new code to the mobile ending 123. Either code works until it expires.',
  ])

  // Five minutes, second by second: figures change all the time, and four of them are said.
  await page.clock.runFor(295_000)
  expect(await saidSince(3)).toEqual([
    'status: About 2 minutes left',
    'status: About 1 minute left',
    'status: About 30 seconds left',
    'status: About 10 seconds left',
  ])
  standIn.advance(301_000)
  await page.clock.runFor(6_000)
  // From here the heading takes focus, and is read because of that.
  await consumer.seeHeading('That code has expired')
  expect(await saidSince(7)).toEqual([])

  const times = (await transcript()).filter(({ how }) => how === 'status').map(({ atMs }) => atMs)
  const pauses = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
  expect(Math.min(...pauses)).toBeGreaterThan(PAUSE_MIN_MS)
})
