// People sign in elsewhere: the service sends them to an OpenID provider, a process of its own.
import { type Program, startProgram } from './program.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

let provider: Program
let service: ServiceProcess

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  provider = await startProgram({ script: 'testing/openid-provider.mjs', env: {}, address: /"url":"(http:[^"]+)"/ })
  // It is 127.0.0.1 there and localhost here, so that neither sees the other's cookies.
  service = await startServiceProcess({
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: 'credit-reports',
    OIDC_CLIENT_SECRET: 'a secret between two servers',
  })
})
test.afterAll(async () => {
  await service.stop()
  await provider.end()
})

test('the person signs in at the provider, the console opens at the service', async ({ page, context }) => {
  await page.goto(`${service.url}/console`)
  expect(page.url().startsWith(provider.url)).toBe(true)
  await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${service.url}/console`)
  await expect(page.getByText('Wrenfield', { exact: true }).first()).toBeVisible()
  const holders = (await context.cookies()).filter(({ name }) => name === 'access').map(({ domain }) => domain)
  expect(holders).toEqual(['localhost'])
  await page.goto(`${service.url}/console/profile`)
  await expect(page.getByText('Looked after by your identity provider')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
})

test('someone the service does not know stays outside', async ({ page }) => {
  await page.goto(`${service.url}/console`)
  await page.getByLabel('E-mail address').fill('pat@example.org')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
  await expect(page.getByText('there is no account here')).toBeVisible()
})
