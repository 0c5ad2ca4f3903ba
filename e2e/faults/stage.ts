// A consumer on a lender's page, live: every report is paid for and every code comes by text.
import type { Page } from '@playwright/test'
import { expect, test as lenderTest } from '../lender/stage.ts'
import { type Consumer, createConsumer } from '../widget-pages/stage.ts'
import { type Account, type Books, openBooks } from './ledger.ts'

export { expect }

export const WRONG_CODE = '000000'

export type Shopper = Consumer & {
  /**
   * Opens the page, or opens it again as if the time of a draft were over, and fills in everything the shopper would
   * type.
   */
  openFilled(): Promise<void>
  /** Opens the page again and is led to the check in progress. */
  goBackToCheck(): Promise<void>
  /** From the first step to "Check your answers". */
  goToAnswers(): Promise<void>
  /** From the first step to the code. */
  goToCode(): Promise<void>
  /** Opens the page and goes as far as the code. */
  openAtCode(): Promise<void>
  /** Sends the code of the newest text, and reads the report. */
  finish(): Promise<void>
  /** The same person in another tab of the same browser. */
  inTab(page: Page): Shopper
}

export const test = lenderTest.extend<{
  books: Books
  shopper: Shopper
  /** Passes when this is what the test has cost in the end. */
  expectCost: (account: Partial<Account>) => Promise<void>
}>({
  books: async ({ lender: { service } }, use) => {
    await use(await openBooks(service.url, (isSo) => expect.poll(isSo).toBe(true)))
  },
  shopper: async ({ page, front, books, lender: { fingerprint } }, use) => {
    const address = front.page({ fingerprint })
    const errors: string[] = []
    const sit = (tab: Page): Shopper => {
      tab.on('pageerror', (error) => errors.push(error.message))
      return createShopper(tab, address, books, sit)
    }
    await use(sit(page))
    expect(errors).toEqual([])
  },
  expectCost: async ({ books }, use) => {
    await use(async (account) => {
      // A text is paid for when its delivery is reported, a moment after it was sent.
      await expect.poll(books.read).toEqual({ reports: 1, openHolds: 0, texts: 1, ...account })
    })
  },
})

function createShopper(page: Page, address: string, books: Books, inTab: (page: Page) => Shopper): Shopper {
  const consumer = createConsumer(page, { page: () => address })
  const { widget, seeHeading, press, field } = consumer
  return {
    ...consumer,
    inTab,
    async openFilled() {
      await page.context().clearCookies({ name: /credit-report-draft$/ })
      await page.goto(address)
      await seeHeading('Your details')
      await widget.evaluate((element, mobileNumber) => {
        Object.assign(element, {
          prefill: {
            ...{ firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27', mobileNumber },
            addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP', movedIn: '2012-05' }],
          },
        })
      }, books.mobileNumber)
      await expect(field('Last name')).toHaveValue('Patel')
    },
    async goBackToCheck() {
      await page.goto(address)
      await seeHeading('Check your phone')
    },
    async goToAnswers() {
      await press('Continue')
      await seeHeading('Where do you live?')
      await press('Continue')
      await seeHeading('Check your answers')
    },
    async goToCode() {
      await this.goToAnswers()
      await this.agree()
      await seeHeading('Check your phone')
    },
    async openAtCode() {
      await this.openFilled()
      await this.goToCode()
    },
    async finish() {
      await this.giveCode(await books.newestCode())
      await seeHeading('Your credit report')
    },
  }
}
