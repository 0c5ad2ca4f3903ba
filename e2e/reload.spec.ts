// A reload on every screen shows what is true: what the lender's server knows of, in the same words, or the step of the
// form it was on.
import { test as lenderTest } from './lender/stage.ts'
import { CODE, type Consumer, expect, type Open, test as standInTest } from './widget-pages/stage.ts'

type Row = { on: string; go: (consumer: Consumer) => Promise<unknown>; shows: string; open?: Open }

const FORM = 'Your details'

async function stayOut(consumer: Consumer): Promise<void> {
  await consumer.toCode()
  for (const said of ['2 attempts left', '1 attempt left']) {
    await consumer.giveCode('000000')
    await expect(consumer.widget.getByRole('alert')).toContainText(said)
  }
  await consumer.giveCode('000000')
  await consumer.seeHeading('We could not confirm it is you')
}

const rows: Row[] = [
  { on: 'the first step', go: (consumer) => consumer.fill({ 'First name': 'Sam' }), shows: FORM },
  {
    on: 'the address',
    async go(consumer) {
      await consumer.giveDetails()
      await consumer.seeHeading('Where do you live?')
    },
    shows: 'Where do you live?',
  },
  { on: 'the answers', go: (consumer) => consumer.toAnswers(), shows: 'Check your answers' },
  { on: 'the code', go: (consumer) => consumer.toCode(), shows: 'Check your phone' },
  {
    on: 'another mobile number',
    async go(consumer) {
      await consumer.toCode()
      await consumer.press('Change mobile number')
      await consumer.seeHeading('Change your mobile number')
    },
    shows: 'Check your phone',
  },
  { on: 'the report', go: (consumer) => consumer.toReport(), shows: 'Your credit report' },
  {
    on: 'a report that needed no code',
    open: { branch: 'allow' },
    async go(consumer) {
      await consumer.toAnswers()
      await consumer.agree()
      await consumer.seeHeading('Your credit report')
    },
    shows: 'Your credit report',
  },
  { on: 'a check that was stopped', go: stayOut, shows: 'We could not confirm it is you' },
  {
    on: 'a check that cannot go on',
    open: { branch: 'block' },
    async go(consumer) {
      await consumer.toAnswers()
      await consumer.agree()
      await consumer.seeHeading('We cannot carry on with this check online')
    },
    shows: 'We cannot carry on with this check online',
  },
]

for (const { on, go, shows, open } of rows)
  lenderTest(`reload on ${on}: ${shows}`, async ({ consumer, page }) => {
    await consumer.open(open)
    await go(consumer)
    await page.reload()
    await consumer.seeHeading(shows)
  })

lenderTest(
  'reload on a report that was closed: the check is complete, and its report gone',
  async ({ consumer, page }) => {
    await consumer.open()
    await consumer.toReport()
    const forgotten = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await consumer.press('Close my report')
    await consumer.seeHeading('Your check is complete')
    await forgotten
    await page.reload()
    await consumer.seeHeading('Your check is complete')
    await expect(consumer.widget).toContainText('no one can open it here again')
    expect(await consumer.widget.evaluate((element) => Reflect.get(element, 'value'))).toMatch(/^[\w-]{8,}$/)
  },
)

lenderTest(
  'another tab: the check is complete, and the date of birth opens its report',
  async ({ consumer, page, context }) => {
    await consumer.open()
    await consumer.toReport()
    const second = await context.newPage()
    await second.goto(page.url())
    await expect(second.getByRole('heading', { name: 'Your report is locked' })).toBeVisible()
    await expect(second.locator('credit-report-widget')).not.toContainText('£')
    for (const [label, value] of [
      ['Day', '26'],
      ['Month', '3'],
      ['Year', '1985'],
    ] as const)
      await second.getByLabel(label, { exact: true }).fill(value)
    await second.getByRole('button', { name: 'Open my report' }).click()
    await expect(second.getByRole('alert')).toContainText('You have 2 attempts left')
    await second.getByLabel('Day', { exact: true }).fill('27')
    await second.getByRole('button', { name: 'Open my report' }).click()
    await expect(second.getByRole('heading', { name: 'Your credit report' })).toBeVisible()
  },
)

standInTest('reload on a code that has expired: it says so again', async ({ consumer, page, standIn }) => {
  await consumer.open()
  await consumer.toCode()
  standIn.advance(301_000)
  await consumer.giveCode(CODE)
  await consumer.seeHeading('That code has expired')
  await page.reload()
  await consumer.seeHeading('That code has expired')
})

standInTest(
  'reload while the details are on their way to a server that keeps no drafts: the form, since nothing is known yet',
  async ({ consumer, page, standIn }) => {
    await consumer.open()
    await consumer.toAnswers()
    standIn.instead('/run-1', { isHeld: true })
    await consumer.agree()
    await consumer.seeHeading('Checking your details')
    await page.reload()
    await consumer.seeHeading(FORM)
  },
)

for (const [why, status, heading] of [
  ['trouble at the lender', 400, 'Sorry, something went wrong at our end'],
  ['too many attempts', 429, 'Wait a few minutes, then try again'],
  ['a check that is not available', 402, 'This check is not available right now'],
] as const)
  standInTest(`reload on ${why}: the form, because no check was begun`, async ({ consumer, page, standIn }) => {
    await consumer.open()
    await consumer.toAnswers()
    standIn.instead('/run-1', { status })
    await consumer.agree()
    await consumer.seeHeading(heading)
    await page.reload()
    await consumer.seeHeading(FORM)
  })

lenderTest(
  'two tabs: a check stopped in one is stopped in the other when it is looked at',
  async ({ consumer, page, context }) => {
    await consumer.open()
    await consumer.toCode()
    const second = await context.newPage()
    await second.goto(page.url())
    await expect(second.getByRole('heading', { name: 'Check your phone' })).toBeVisible()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await second.getByLabel('Security code').fill('000000')
      const answered = second.waitForResponse((response) => response.url().endsWith('/otp-challenge'))
      await second.getByRole('button', { name: 'Continue' }).click()
      await answered
    }
    await expect(second.getByRole('heading', { name: 'We could not confirm it is you' })).toBeVisible()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await consumer.seeHeading('We could not confirm it is you')
  },
)
