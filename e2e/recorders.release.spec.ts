// Session recorders on the lender's page: a real rrweb for every mark that recorders built on it go by, all at once,
// through a whole check.
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, test } from './widget-pages/stage.ts'

const PERSONAL = [
  ...['Sam', 'Patel', '07700 900123', '900123', '1985', '10 High Street', 'ls1 4ap', 'LS1 4AP', '123456'],
  ...['Meridian Motor Finance', 'Harbour Bank', 'Northern Building Society', '£423.17'],
]
const CONTROL = '.no-mark-of-ours'
/** The class that each of these recorders blocks by default. */
const MARKS = [
  ...['.amp-block', '.fs-exclude', '.highlight-block', '.mp-block', '.nr-block', '.ph-no-capture', '.rr-block'],
  '[data-sentry-block]',
]

/** Each recorder is a copy of rrweb with a memory of its own, as if it were the only one. */
const RECORD = `
  const open = (module = { exports: {} }, exports = module.exports) => { ${readFileSync('node_modules/rrweb/dist/rrweb.umd.min.cjs', 'utf8')}
    return module.exports }
  window.recordings = {}
  for (const mark of ${JSON.stringify([CONTROL, ...MARKS])}) {
    const events = window.recordings[mark] = []
    const by = mark.startsWith('.') ? { blockClass: mark.slice(1) } : { blockSelector: mark }
    open().record({ ...by, emit: (event) => events.push(JSON.stringify(event)) })
  }`

const read = (page: Page) =>
  page.evaluate(() => {
    const recordings = Object.entries<string[]>(Reflect.get(window, 'recordings'))
    return recordings.map(([mark, events]) => ({ mark, text: events.join('\n') }))
  })

test('each keeps out what is typed and what the report shows', async ({ consumer, page, standIn }) => {
  await page.route('**/recorders.js', (route) => route.fulfill({ contentType: 'text/javascript', body: RECORD }))
  await page.goto(standIn.page({ head: '<script src="/recorders.js"></script>', before: '<p>The page itself</p>' }))
  await consumer.toReport()
  await expect(consumer.widget.getByText('Northern Building Society').first()).toBeVisible()
  const found = (await read(page)).map(({ mark, text }) => ({
    mark,
    seesPage: text.includes('The page itself'),
    personal: PERSONAL.filter((words) => text.includes(words)),
  }))
  const [control, ...marked] = found
  // A recorder that is given no mark of ours has it all.
  expect(control).toEqual({ mark: CONTROL, seesPage: true, personal: PERSONAL })
  expect(marked).toEqual(MARKS.map((mark) => ({ mark, seesPage: true, personal: [] })))
})

const diagnose = (page: Page) =>
  page.evaluate(async () => (await document.querySelector('credit-report-widget')?.diagnose()) ?? [])

const attributes = 'search="soft" privacy-url="/privacy"'

for (const [name, head, said] of [
  ['rrweb itself', '<script src="/recorders.js"></script>', ['recorder-marked', 'a recorder built on rrweb']],
  [
    'PostHog, which records with rrweb',
    '<script>window.posthog = {}</script><script src="/recorders.js"></script>',
    ['recorder-marked', 'page: PostHog.'],
  ],
  ['FullStory', '<script>window.FS = () => {}</script>', ['recorder-marked', 'page: FullStory.']],
  ['Mouseflow, for which there is no mark', '<script>window._mfq = []</script>', ['recorder-unmarked', 'Mouseflow']],
  ['PostHog that does not record', '<script>window.posthog = {}</script>', null],
  ['elements of such names', '<meta id="clarity"><meta id="heap">', null],
] as const)
  test(`diagnose(): ${name} is ${said ? 'named' : 'no recorder'}`, async ({ consumer, page }) => {
    await page.route('**/recorders.js', (route) => route.fulfill({ contentType: 'text/javascript', body: RECORD }))
    await consumer.open({ attributes, head })
    const found = await diagnose(page)
    expect(found.map(({ code }) => code)).toEqual(said ? [said[0]] : [])
    expect(found[0]?.problem ?? '').toContain(said?.[1] ?? '')
  })
