// The API reference of the service, used by a developer who tries things.
import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './stack.ts'

function operation(page: Page, title: string): Locator {
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, level: 3 }) })
}

async function send(form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Send' }).click()
}

test('generate, a wrong code, a resend and the right code are four clicks: ids travel by themselves', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.service}/docs`)
  const generate = operation(page, 'Generate a credit report')
  await send(generate)
  await expect(generate.getByRole('status')).toContainText('200')
  await expect(generate.getByRole('status')).toContainText('"authentication-required"')

  const submit = operation(page, 'Answer a challenge with the code from the text')
  const body = submit.getByLabel('Body')
  await expect(submit.getByLabel('creditReportId')).not.toHaveValue('')
  await body.fill((await body.inputValue()).replace('123456', '000000'))
  await send(submit)
  await expect(submit.getByRole('status')).toContainText('"retry"')

  const resend = operation(page, 'Send the code again')
  await send(resend)
  await expect(resend.getByRole('status')).toContainText('"smsSentCount": 2')

  await body.fill((await body.inputValue()).replace('000000', '123456'))
  await send(submit)
  await expect(submit.getByRole('status')).toContainText('"complete"')
  await expect(page.getByText('Signed in as demo-lender')).toBeVisible()
})

test('another lender can be tried, and sees its own wallet', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs`)
  await page.getByLabel('Try it as').selectOption({ label: 'empty-lender (no credits)' })
  const wallet = operation(page, 'What the wallet holds, and the prices')
  await send(wallet)
  await expect(wallet.getByRole('status')).toContainText('"balanceCredits": 0')
})

test('on a narrow phone the choice of lender stays inside its box', async ({ page, stack }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${stack.service}/docs`)
  const box = page.locator('#caller')
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('an answer stays inside its panel, on a phone too, where one still finds the operations', async ({
  page,
  stack,
}) => {
  for (const width of [1360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${stack.service}/docs`)
    const operations = page.getByRole('navigation', { name: 'Operations' })
    await operations.getByRole('link', { name: /Generate a credit report/ }).click()
    const generate = operation(page, 'Generate a credit report')
    await expect(generate.getByRole('heading', { level: 3 })).toBeInViewport()
    await send(generate)
    await expect(generate.getByRole('status')).toContainText('200')
    const panel = generate.locator('form')
    expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
})

test('a refusal is shown as it is', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs`)
  const wallet = operation(page, 'What the wallet holds, and the prices')
  await wallet.getByLabel('tenantId').fill('other-lender')
  await send(wallet)
  await expect(wallet.getByRole('status')).toContainText('403')
  await expect(wallet.getByRole('status')).toContainText('"forbidden"')
})

test('a token that is no longer good is replaced at the next try', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs`)
  const wallet = operation(page, 'What the wallet holds, and the prices')
  await page.route('**/v1/oauth/token', (route) =>
    route.fulfill({ json: { access_token: 'of-another-day', token_type: 'Bearer', expires_in: 900 } }),
  )
  await send(wallet)
  await expect(wallet.getByRole('status')).toContainText('401')
  await page.unroute('**/v1/oauth/token')
  await send(wallet)
  await expect(wallet.getByRole('status')).toContainText('200')
})

test('the document behind the page is there for tools', async ({ page, stack }) => {
  const response = await page.request.get(`${stack.service}/openapi.json`)
  expect((await response.json()).openapi).toBe('3.1.0')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the reference has nothing serious to hinder a reader, ${colorScheme}`, async ({ page, stack }) => {
    await page.emulateMedia({ colorScheme })
    await page.goto(`${stack.service}/docs`)
    // One operation stands for all: they are made by the same function, and the whole page is long.
    const { violations } = await new AxeBuilder({ page })
      .include('nav')
      .include('header')
      .include('#submitOtp')
      .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
      .analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  })
}
