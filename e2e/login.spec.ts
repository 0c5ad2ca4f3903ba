// Signing in with a real browser, with and without JavaScript.
import type { Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { findViolations } from './accessibility/axe.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

let service: ServiceProcess
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  service = await startServiceProcess()
})
test.afterAll(() => service.stop())

async function signIn(page: Page, path = '/console', password = 'demo-password') {
  await page.goto(service.url + path)
  await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a person signs in, comes to the page they wanted, and signs out', async ({ page }) => {
    await signIn(page, '/console/profile')
    await expect(page).toHaveURL(`${service.url}/console/profile`)
    await expect(page.getByText('sam@demo-lender.example')).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
    await page.goto(`${service.url}/console/profile`)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })

  test('a wrong password says so and keeps the address', async ({ page }) => {
    await signIn(page, '/console', 'wrong')
    await expect(page.getByRole('alert')).toHaveText('The e-mail address and the password do not go together.')
    await expect(page.getByLabel('E-mail address')).toHaveValue('sam@demo-lender.example')
  })
})

test('going back to the sign-in page says that it is over, and the person stays signed in', async ({ page }) => {
  await signIn(page)
  await expect(page.getByText('Wrenfield', { exact: true }).first()).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'This sign-in is over' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.goto(`${service.url}/console`)
  await expect(page.getByText('Wrenfield', { exact: true }).first()).toBeVisible()
})

test('no cookie is within reach of a script, and the pages pass an accessibility scan', async ({ page, context }) => {
  await page.goto(`${service.url}/console`)
  expect(await findViolations(page)).toEqual([])
  await signIn(page, '/console', 'wrong')
  expect(await findViolations(page)).toEqual([])
  await signIn(page)
  await expect(page.getByText('Wrenfield', { exact: true }).first()).toBeVisible()
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const cookies = await context.cookies()
  expect(cookies.map(({ name }) => name)).toEqual(expect.arrayContaining(['access', 'refresh', 'known']))
  expect(cookies.every(({ httpOnly, sameSite }) => httpOnly && sameSite === 'Lax')).toBe(true)
})

test('another site can neither sign a person out nor act for them', async ({ page, context }) => {
  await signIn(page)
  await expect(page.getByText('Wrenfield', { exact: true }).first()).toBeVisible()
  const evil = await context.newPage()
  await evil.route('http://evil.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form id="f" method="post" action="${service.url}/v1/oauth/logout"></form><script>f.submit()</script>`,
    }),
  )
  await evil.goto('http://evil.example/', { waitUntil: 'commit' })
  await expect(evil).toHaveURL(`${service.url}/v1/oauth/logout`)
  await expect(evil.getByText('forbidden')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Wrenfield', { exact: true }).first()).toBeVisible()
})

test('two steps: set up with a code, asked for at the next sign-in, left with a recovery code', async ({
  page,
  browser,
}) => {
  await signIn(page, '/console/profile')
  await page.getByLabel('Your password').fill('demo-password')
  await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  const secret = (await page.getByRole('textbox', { name: 'Key' }).innerText()).replaceAll(' ', '')
  const codeOf = (step: number) => generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + step * 30 })
  await page.getByLabel('Security code').fill(codeOf(0))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Two-step sign-in is on. Keep these recovery codes')).toBeVisible()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)

  const fresh = await (await browser.newContext()).newPage()
  await signIn(fresh)
  await expect(fresh.getByRole('heading', { name: 'Security code' })).toBeVisible()
  expect(await findViolations(fresh)).toEqual([])
  await fresh.getByLabel('Security code').fill('000000')
  await fresh.getByRole('button', { name: 'Sign in' }).click()
  await expect(fresh.getByText('That code is wrong, too old or was used before.')).toBeVisible()
  await fresh.getByLabel('Security code').fill(codeOf(1))
  await fresh.getByRole('button', { name: 'Sign in' }).click()
  await expect(fresh.getByText('Wrenfield', { exact: true }).first()).toBeVisible()

  await fresh.goto(`${service.url}/console/profile`)
  await fresh.getByLabel('Security code').fill(codes[0] ?? '')
  await fresh.getByRole('button', { name: 'Turn off' }).click()
  await expect(fresh.getByText('Two-step sign-in is off.')).toBeVisible()
})
