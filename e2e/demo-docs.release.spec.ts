// The API reference of the service, used by a developer who tries things.
import { execFileSync } from 'node:child_process'
import type { Locator, Page } from '@playwright/test'
import { findViolations, OF_COLOURS } from './accessibility/axe.ts'
import { startServiceProcess } from './service-process.ts'
import { expect, test } from './stack.ts'

function operation(page: Page, title: string): Locator {
  return page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, level: 2 }) })
}

/** Opens the form in the place of the samples. */
async function tryIt(of: Locator): Promise<void> {
  const opener = of.locator('summary', { hasText: 'Try it' })
  if (!(await of.getByRole('button', { name: 'Send' }).isVisible())) await opener.click()
}

async function send(of: Locator): Promise<void> {
  await tryIt(of)
  await of.getByRole('button', { name: 'Send' }).click()
}

test('from generate over a wrong code and a resend to the right code ids travel by themselves', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.service}/docs/credit-reports`)
  const generate = operation(page, 'Generate a credit report')
  await send(generate)
  await expect(generate.getByRole('status')).toContainText('200')
  await expect(generate.locator('form pre')).toContainText('"authentication-required"')

  const submit = operation(page, 'Answer a challenge with the code from the text')
  await tryIt(submit)
  const body = submit.getByLabel('Body')
  await expect(submit.getByLabel('creditReportId')).not.toHaveValue('')
  await body.fill((await body.inputValue()).replace('123456', '000000'))
  await send(submit)
  await expect(submit.locator('form pre')).toContainText('"retry"')

  const resend = operation(page, 'Send the code again')
  await send(resend)
  await expect(resend.locator('form pre')).toContainText('"smsSentCount": 2')

  await body.fill((await body.inputValue()).replace('000000', '123456'))
  await send(submit)
  await expect(submit.locator('form pre')).toContainText('"complete"')
  await expect(page.getByText('Signed in as demo-lender')).toBeVisible()
})

test('the token form works as it comes, and only its outcome is announced', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs#createToken`)
  const menu = page.getByRole('navigation', { name: 'Guides and operations' })
  await expect(menu.getByRole('link', { name: 'Exchange credentials for a token' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  const token = operation(page, 'Exchange credentials for a token')
  await send(token)
  await expect(token.getByRole('status')).toHaveText('200 OK')
  await expect(token.locator('form pre')).toContainText('"access_token"')
})

test('another lender can be tried, and sees its own wallet', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs/wallet`)
  await page.getByText('Your credentials').click()
  await page.getByLabel('A client of the demo').selectOption('empty-lender')
  const wallet = operation(page, 'The balance of the wallet, and the prices')
  await tryIt(wallet)
  await expect(wallet.getByLabel('tenantId')).toHaveValue('empty-lender')
  await send(wallet)
  await expect(wallet.locator('form pre')).toContainText('"balanceCredits": 0')
})

test('on a narrow phone the choice of lender stays inside its box', async ({ page, stack }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`${stack.service}/docs/wallet`)
  await page.getByText('Your credentials').click()
  const box = page.locator('#caller')
  expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

test('an answer stays inside its panel, on a phone too, where one still finds the operations', async ({
  page,
  stack,
}) => {
  for (const width of [1360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${stack.service}/docs/credit-reports`)
    const operations = page.getByRole('navigation', { name: 'Guides and operations' })
    if (width === 390) {
      await expect(operations).toBeHidden()
      await page.getByRole('button', { name: 'Menu' }).click()
    }
    await operations.getByRole('link', { name: /Generate a credit report/ }).click()
    if (width === 390) await expect(operations).toBeHidden()
    const generate = operation(page, 'Generate a credit report')
    await expect(generate.getByRole('heading', { level: 2 })).toBeInViewport()
    await send(generate)
    await expect(generate.getByRole('status')).toContainText('200')
    const panel = generate.locator('form')
    expect(await panel.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
})

test('a refusal is shown as it is', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs/wallet`)
  const wallet = operation(page, 'The balance of the wallet, and the prices')
  await tryIt(wallet)
  await wallet.getByLabel('tenantId').fill('other-lender')
  await send(wallet)
  await expect(wallet.getByRole('status')).toContainText('403')
  await expect(wallet.locator('form pre')).toContainText('"forbidden"')
})

test('a token that is no longer good is replaced at the next try', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs/wallet`)
  const wallet = operation(page, 'The balance of the wallet, and the prices')
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

test('a report is asked for in test mode, whatever the reader wrote', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs/credit-reports`)
  const generate = operation(page, 'Generate a credit report')
  await tryIt(generate)
  const body = generate.getByLabel('Body')
  await body.fill((await body.inputValue()).replace('"test": true', '"test": false'))
  await send(generate)
  await expect(generate.locator('form pre')).toContainText('"authentication-required"')
  await expect(body).toHaveValue(/"test": true/)
})

test('without the demo, a lender tries it with the credentials its operator made', async ({ page }) => {
  const service = await startServiceProcess({ DEMO: '', LOG_LEVEL: 'info' }, 'dist/programs/service-main.js')
  try {
    const admin = (...words: string[]) =>
      execFileSync(process.execPath, ['dist/programs/admin.js', ...words], {
        env: { ...process.env, DATA_DIR: service.dataDir },
        encoding: 'utf8',
      })
    admin('tenant', 'create', 'acme', '--name', 'Acme')
    const [, secret = ''] =
      /client secret +(\S+)/.exec(admin('client', 'create', 'acme', '--id', 'acme-checkout', '--name', 'Shop')) ?? []
    await page.goto(`${service.url}/docs/credit-reports`)
    await expect(page.getByLabel('A client of the demo')).toHaveCount(0)
    await page.getByLabel('Client ID').fill('acme-checkout')
    await page.getByLabel('Client secret').fill(secret)
    const generate = operation(page, 'Generate a credit report')
    await tryIt(generate)
    await generate.getByLabel('tenantId').fill('acme')
    await send(generate)
    await expect(generate.locator('form pre')).toContainText('"authentication-required"')
    await expect(page.getByText('Signed in as acme-checkout')).toBeVisible()
  } finally {
    await service.stop()
  }
})

test('search finds on every page, the best first, and Enter goes there', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs/wallet`)
  const menu = page.getByRole('navigation', { name: 'Guides and operations' })
  await page.keyboard.press('/')
  await page.keyboard.type('smsSentCount')
  await expect(menu.getByRole('link').first()).toHaveText(/^Send the code again\s*Credit reports$/)
  await expect(menu.getByRole('link', { name: 'Idempotency' })).toBeHidden()
  await menu.getByLabel('Search').fill('xyzzy')
  await expect(menu.getByRole('status')).toHaveText('Nothing found')
  await expect(menu.getByRole('link')).toHaveCount(0)
  await menu.getByLabel('Search').fill('deprecation twelve')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Versions and deprecation' })).toBeInViewport()
  await expect(menu.getByRole('link', { name: 'Guides', exact: true })).toHaveAttribute('aria-current', 'page')
})

test('the menu marks the page, and the operation that is read', async ({ page, stack }) => {
  await page.goto(`${stack.service}/docs/wallet`)
  const menu = page.getByRole('navigation', { name: 'Guides and operations' })
  await expect(menu.getByRole('link', { name: 'Wallet', exact: true })).toHaveAttribute('aria-current', 'page')
  const holds = menu.getByRole('link', { name: 'Credits held now' })
  await expect(holds).not.toHaveAttribute('aria-current')
  await page.keyboard.press('End')
  await expect(holds).toHaveAttribute('aria-current', 'true')
})

test('without a script, an address of before there were pages leads to the line that leads on', async ({
  browser,
  stack,
}) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${stack.service}/docs#onWalletLow`)
  await page.locator('li:target').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'The wallet is low' })).toBeInViewport()
  await page.close()
})

test('a sample is copied in the language one reads, and that language is open everywhere', async ({
  page,
  context,
  stack,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${stack.service}/docs/credit-reports`)
  const generate = operation(page, 'Generate a credit report')
  await generate.getByText('Python', { exact: true }).click()
  await generate.getByRole('button', { name: 'Copy the Python sample' }).click()
  await expect(generate.getByRole('button', { name: 'Copy the Python sample' })).toHaveText('Copied')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toContain('requests.request(')
  expect(copied).toContain(`"${stack.service}/demo-lender/v1/credit-reports"`)
  const resend = operation(page, 'Send the code again')
  await expect(resend.getByRole('button', { name: 'Copy the Python sample' })).toBeVisible()
  await expect(resend.getByRole('button', { name: 'Copy the curl sample' })).toBeHidden()
})

for (const width of [1360, 390]) {
  test(`no page of the reference has anything to hinder a reader, in light and in dark, ${width} wide`, async ({
    page,
    stack,
  }) => {
    test.slow()
    await page.setViewportSize({ width, height: 844 })
    const refused: string[] = []
    await page.exposeFunction('noteRefusal', (directive: string) => refused.push(directive))
    await page.addInitScript(
      `document.addEventListener('securitypolicyviolation', (event) => noteRefusal(event.violatedDirective))`,
    )
    const overhang = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
    await page.goto(`${stack.service}/docs`)
    const links = await page.locator('#pages > li > a').all()
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(paths.length).toBeGreaterThan(10)
    for (const path of paths) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${stack.service}${path}`)
      expect(await overhang()).toBe(0)
      if (width === 390) await page.getByRole('button', { name: 'Menu' }).click()
      expect(await findViolations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await overhang()).toBe(0)
      expect(await findViolations(page, { rules: OF_COLOURS })).toEqual([])
    }
    expect(refused).toEqual([])
  })
}
