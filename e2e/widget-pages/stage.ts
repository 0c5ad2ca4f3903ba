// A consumer, a lender's page and a proxy that answers what the test says.
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { isCurrent } from '../echo-nonce.ts'
import { type Answers, fillIn } from '../fill-in.ts'
import { test as base, expect } from '../worker.ts'
import type { PageOptions } from './host-page.ts'
import { CODE, type StandIn, startStandIn } from './stand-in-proxy.ts'

export { type Answers, CODE, expect }

/** A page on which the test chooses what the lender's server decides. */
export type Open = PageOptions & { branch?: 'challenge' | 'allow' | 'block'; scenario?: string }

export const test = base.extend<{ standIn: StandIn; consumer: Consumer }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see which fixtures are used
  standIn: async ({}, use) => {
    const standIn = await startStandIn()
    await use(standIn)
    await standIn.close()
  },
  consumer: async ({ page, standIn }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await use(createConsumer(page, standIn))
    expect(errors).toEqual([])
  },
})

export type Consumer = ReturnType<typeof createConsumer>

export const SAM: Answers = {
  'First name': 'Sam',
  'Last name': 'Patel',
  Day: '27',
  Month: '3',
  Year: '1985',
  'UK mobile number': '07700 900123',
}
export const HOME: Answers = {
  'Building number': '10',
  Street: 'High Street',
  'Town or city': 'Leeds',
  Postcode: 'ls1 4ap',
  Month: '9',
  Year: '2015',
}

/** `within` is where the element is, when that is a frame of the page. */
export function createConsumer(page: Page, pages: Pick<StandIn, 'page'>, within: Page | FrameLocator = page) {
  const widget = within.locator('credit-report-widget').first()
  const press = (name: string) => widget.getByRole('button', { name }).first().click()
  const seeHeading = (name: string) => expect(widget.getByRole('heading', { name, exact: true })).toBeVisible()
  let runs = 0

  const fill = (answers: Answers) => fillIn(widget, answers)
  function field(label: string): Locator {
    return widget.getByLabel(new RegExp(`^${label}( \\(optional\\))?$`))
  }

  return {
    widget,
    press,
    seeHeading,
    fill,
    field,

    /** Opens a page and waits until the widget has heard from its server. */
    async open({ branch = 'challenge', scenario = 'default', attributes = '', ...options }: Open = {}): Promise<void> {
      const endpoint = `/credit-reports/test/${branch}/${scenario}/run-${++runs}`
      const heard = page.waitForResponse((response) => isCurrent(response.url()))
      await page.goto(pages.page({ attributes: `endpoint="${endpoint}" ${attributes}`, ...options }))
      await heard
    },
    async giveDetails(changes: Answers = {}): Promise<void> {
      await seeHeading('Your details')
      await fill({ ...SAM, ...changes })
      await press('Continue')
    },
    async giveAddress(changes: Answers = {}): Promise<void> {
      await fill({ ...HOME, ...changes })
      await press('Continue')
    },
    async toAnswers(): Promise<void> {
      await this.giveDetails()
      await seeHeading('Where do you live?')
      await this.giveAddress()
      await seeHeading('Check your answers')
    },
    async agree(): Promise<void> {
      await press('Agree and check my credit report')
    },
    async toCode(): Promise<void> {
      await this.toAnswers()
      await this.agree()
      await seeHeading('Check your phone')
    },
    async giveCode(code: string): Promise<void> {
      await field('Security code').fill(code)
      await press('Continue')
    },
    async toReport(): Promise<void> {
      await this.toCode()
      await this.giveCode(CODE)
      await seeHeading('Your credit report')
    },
  }
}

/** Changes the language of what is on screen. */
export async function speak(consumer: Consumer, locale: string): Promise<void> {
  await consumer.widget.evaluate((element, value) => element.setAttribute('locale', value), locale)
  await expect(consumer.widget.locator('[lang]').first()).toHaveAttribute('lang', locale)
}
