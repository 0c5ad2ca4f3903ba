// Every screen a consumer can meet, each reached from the one before.
import type { Page } from '@playwright/test'
import { CODE, type Consumer, expect, type Open } from '../widget-pages/stage.ts'
import type { StandIn } from '../widget-pages/stand-in-proxy.ts'

type Scene = { consumer: Consumer; standIn: StandIn; page: Page }
type Visit = { name: string; go: (scene: Scene) => Promise<void> }
export type Group = { name: string; open?: Open; visits: Visit[] }

const LOOKUP = `<script>document.querySelector('credit-report-widget').addressLookup = async (postcode) =>
  postcode === 'LS1 0AA' ? [] : [10, 12].map((number) => ({ buildingNumber: String(number), thoroughfare: 'High Street', townOrCity: 'Leeds', postcode }))</script>`
/** The page's prefill, so that a check can be started over in two presses. */
const PREFILL = `<script>document.querySelector('credit-report-widget').prefill = {
  firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27', mobileNumber: '07700900123',
  addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP', movedIn: '2012-05' }] }</script>`

/** A report that has to be opened again. */
const locked = {
  status: 'complete',
  creditReportId: 'r-1',
  closed: true,
  opening: { expiresInSeconds: 540, attemptsRemaining: 3 },
}
/** Pages that a lender may show in place of a report. */
const summary = {
  status: 'complete',
  creditReportId: 'r-1',
  summary: { openAccounts: 3, settledAccounts: 1, searches: 2 },
  agencies: [
    { id: 'equifax', status: 'answered' },
    { id: 'experian', status: 'unavailable' },
  ],
}
const lastYear = String(new Date().getFullYear() - 1)

const form: Group = {
  name: 'the form',
  open: { inside: '<span slot="consent">I agree to the check</span>' },
  visits: [
    { name: 'details', go: ({ consumer }) => consumer.seeHeading('Your details') },
    {
      name: 'no UK mobile',
      async go({ consumer }) {
        await consumer.widget.getByText('I do not have a UK mobile').click()
        await expect(consumer.widget.getByText('Ask the company that sent you here')).toBeVisible()
      },
    },
    { name: 'details with errors', go: ({ consumer }) => consumer.press('Continue') },
    { name: 'address', go: ({ consumer }) => consumer.giveDetails() },
    { name: 'address with errors', go: ({ consumer }) => consumer.press('Continue') },
    {
      name: 'earlier address',
      async go({ consumer }) {
        await consumer.giveAddress({ Year: lastYear })
        await consumer.seeHeading('Where did you live before?')
      },
    },
    {
      name: 'answers',
      async go({ consumer }) {
        await consumer.giveAddress({ 'Building number': '22', Year: '2012' })
        await consumer.seeHeading('Check your answers')
      },
    },
    {
      name: 'answers without the tick',
      async go({ consumer }) {
        await consumer.agree()
        await expect(consumer.widget.getByRole('alert')).toContainText('Tick the box')
      },
    },
  ],
}

const search: Group = {
  name: 'searching for an address',
  open: { after: LOOKUP },
  visits: [
    {
      name: 'a postcode',
      async go({ consumer }) {
        await consumer.giveDetails()
        await expect(consumer.widget.getByRole('button', { name: 'Find address' })).toBeVisible()
      },
    },
    {
      name: 'no addresses found',
      async go({ consumer }) {
        await consumer.fill({ Postcode: 'ls10aa' })
        await consumer.press('Find address')
        await expect(consumer.widget.getByText('We found no addresses')).toBeVisible()
      },
    },
    {
      name: 'addresses to choose from',
      async go({ consumer }) {
        await consumer.fill({ Postcode: 'ls14ap' })
        await consumer.press('Find address')
        await expect(consumer.field('Choose your address')).toBeVisible()
      },
    },
    {
      name: 'none chosen',
      async go({ consumer }) {
        await consumer.press('Continue')
        await expect(consumer.widget.getByRole('alert')).toContainText('Choose your address')
      },
    },
    {
      name: 'chosen without a date',
      async go({ consumer }) {
        await consumer.field('Choose your address').selectOption('12 High Street, Leeds')
        await consumer.press('Continue')
        await expect(consumer.widget.getByRole('alert')).toContainText('Add the month and year')
      },
    },
    {
      name: 'a removed address',
      async go({ consumer }) {
        await consumer.fill({ Month: '1', Year: lastYear })
        await consumer.press('Continue')
        await consumer.press('Enter the address myself')
        await consumer.giveAddress({ Year: '2012', 'Building number': '22' })
        await consumer.press('Remove Previous address')
        await expect(consumer.widget.getByText('We removed 22 High Street')).toBeVisible()
      },
    },
  ],
}

const check: Group = {
  name: 'the check',
  open: { attributes: 'sign-in-url="/sign-in"' },
  visits: [
    {
      name: 'sending',
      async go({ consumer, standIn }) {
        await consumer.toAnswers()
        standIn.instead('/run-1', { isHeld: true })
        await consumer.agree()
        await consumer.seeHeading('Checking your details')
      },
    },
    {
      name: 'code',
      async go({ consumer, standIn }) {
        standIn.release()
        await consumer.seeHeading('Check your phone')
      },
    },
    {
      name: 'code with an error',
      async go({ consumer }) {
        await consumer.giveCode('000000')
        await expect(consumer.widget.getByRole('alert')).toBeVisible()
      },
    },
    {
      name: 'code being checked',
      async go({ consumer, standIn }) {
        standIn.instead('/otp-challenge', { isHeld: true })
        await consumer.giveCode('000001')
        await expect(consumer.widget.getByRole('status').filter({ hasText: 'Checking the code' })).toBeAttached()
      },
    },
    {
      name: 'another number',
      async go({ consumer, standIn }) {
        // On a slow machine the widget may have given up on the answer by now: what it says then is not the point here.
        standIn.release()
        await consumer.press('Change mobile number')
        await consumer.seeHeading('Change your mobile number')
      },
    },
    {
      name: 'session ended',
      async go({ consumer, standIn }) {
        await consumer.press('Back')
        standIn.instead('/otp-challenge', { status: 401 })
        await consumer.giveCode(CODE)
        await consumer.seeHeading('Your session has ended')
      },
    },
    {
      name: 'expired',
      async go({ consumer, standIn }) {
        await consumer.press('Carry on')
        standIn.instead('/otp-challenge', { status: 410 })
        standIn.instead('/current', { body: { meta: { test: false }, data: { status: 'expired' } } })
        await consumer.giveCode(CODE)
        await consumer.seeHeading('That code has expired')
      },
    },
    {
      name: 'broken',
      async go({ consumer, standIn }) {
        standIn.instead('/run-1', { status: 400 })
        await consumer.press('Send a new code')
        await consumer.seeHeading('Sorry, something went wrong at our end')
      },
    },
    {
      name: 'busy',
      async go({ consumer, standIn }) {
        standIn.instead('/run-1', { status: 429 })
        await consumer.press('Try again')
        await consumer.seeHeading('Wait a few minutes, then try again')
      },
    },
  ],
}

const endings: Group = {
  name: 'how it can end',
  open: { after: PREFILL },
  visits: [
    {
      name: 'report',
      async go(scene) {
        await startOver(scene)
        await scene.consumer.seeHeading('Check your phone')
        await scene.consumer.giveCode(CODE)
        await scene.consumer.seeHeading('Your credit report')
      },
    },
    {
      name: 'report closed',
      async go({ consumer }) {
        await consumer.press('Close my report')
        await consumer.seeHeading('Your check is complete')
      },
    },
    ...ending('report locked', locked, 'Your report is locked'),
    {
      name: 'failed',
      async go(scene) {
        const { consumer } = scene
        await startOver(scene)
        for (const code of ['000000', '000001', '000002']) {
          await consumer.seeHeading('Check your phone')
          await consumer.giveCode(code)
        }
        await consumer.seeHeading('We could not confirm it is you')
      },
    },
    ...ending('blocked', { status: 'blocked', creditReportId: 'r-1' }, 'We cannot carry on with this check online'),
    ...ending('a summary of the report', summary, 'Your check is complete'),
    {
      name: 'not available',
      async go(scene) {
        await startOver(scene, () => scene.standIn.instead('/run-1', { status: 402 }))
        await scene.consumer.seeHeading('This check is not available right now')
      },
    },
    {
      name: 'offline',
      async go(scene) {
        await startOver(scene, () => scene.page.context().setOffline(true))
        await scene.consumer.seeHeading('You are not connected to the internet')
        await scene.page.context().setOffline(false)
      },
    },
    {
      name: 'under 18',
      async go({ consumer, page }) {
        await page.evaluate(() => document.querySelector('credit-report-widget')?.reset())
        await consumer.fill({ Year: String(new Date().getFullYear() - 10) })
        await consumer.press('Continue')
        await consumer.seeHeading('You need to be 18 or over')
      },
    },
  ],
}

export const groups: Group[] = [form, search, check, endings]

function ending(name: string, data: object, heading: string): Visit[] {
  return [
    {
      name,
      async go(scene) {
        const body = { meta: { test: false }, data }
        await startOver(scene, () => scene.standIn.instead('/run-1', { body }))
        await scene.consumer.seeHeading(heading)
      },
    },
  ]
}

/** From any screen to "Agree", which is pressed. */
async function startOver({ consumer, page }: Scene, beforehand?: () => unknown): Promise<void> {
  await page.evaluate(() => document.querySelector('credit-report-widget')?.reset())
  await consumer.seeHeading('Your details')
  await consumer.press('Continue')
  await consumer.seeHeading('Where do you live?')
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await beforehand?.()
  await consumer.agree()
}
