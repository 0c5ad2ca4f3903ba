// People sign in elsewhere: one service sends them to the built-in provider of another, a process of its own.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

const SECRET_KEY = 'a secret key for tests that is long enough'
const folder = mkdtempSync(join(tmpdir(), 'provider-'))
let provider: ServiceProcess
let service: ServiceProcess
let issuer: string

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function admin(...words: string[]): string {
  const env = { PATH: process.env.PATH, DATA_DIR: folder, SECRET_KEY }
  return execFileSync(process.execPath, ['dist/node/admin.js', ...words], { env, encoding: 'utf8' })
}

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const [providerPort, servicePort] = [await freePort(), await freePort()]
  // Two names for one machine, so that neither sees the other's cookies.
  issuer = `http://127.0.0.1:${providerPort}`
  const publicUrl = `http://localhost:${servicePort}`
  provider = await startServiceProcess({
    PORT: String(providerPort),
    PUBLIC_URL: issuer,
    DATA_DIR: folder,
    SECRET_KEY,
  })
  const printed = admin(
    'sign-in-client',
    'create',
    'the-other-service',
    '--redirect-uri',
    `${publicUrl}/v1/oauth/callback`,
  )
  const secret = /client secret +(\S+)/.exec(printed)?.[1] ?? ''
  service = await startServiceProcess({
    PORT: String(servicePort),
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'the-other-service',
    OIDC_CLIENT_SECRET: secret,
  })
})
test.afterAll(async () => {
  await service.stop()
  await provider.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('the password is typed at the provider, the console opens at the service', async ({ page, context }) => {
  await page.goto(`${service.url}/console`)
  expect(page.url().startsWith(issuer)).toBe(true)
  await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
  await page.getByLabel('Password').fill('demo-password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${service.url}/console`)
  await expect(page.getByRole('heading', { name: 'Wrenfield' })).toBeVisible()
  const holders = (await context.cookies()).filter(({ name }) => name === 'access').map(({ domain }) => domain)
  expect(holders).toEqual(['localhost'])
  await page.goto(`${service.url}/console/profile`)
  await expect(page.getByText('Looked after by your identity provider')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible()
})

test('someone the service does not know stays outside', async ({ page }) => {
  const printed = admin('user', 'create', 'demo-lender', 'pat@example.org', '--first-name', 'Pat', '--last-name', 'Doe')
  await page.goto(`${service.url}/console`)
  await page.getByLabel('E-mail address').fill('pat@example.org')
  await page.getByLabel('Password').fill(/password +(\S+)/.exec(printed)?.[1] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
  await expect(page.getByText('there is no account here')).toBeVisible()
})

test('the service has no password page of its own', async ({ request }) => {
  expect((await request.get(`${service.url}/v1/oauth/authorize`)).status()).toBe(404)
  const metadata = await (await request.get(`${service.url}/.well-known/openid-configuration`)).json()
  expect(metadata).not.toHaveProperty('authorization_endpoint')
})

test('while the provider is away, signing in says so and nothing else breaks', async ({ request }) => {
  const lonely = await startServiceProcess({
    OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
    OIDC_CLIENT_ID: 'x',
    OIDC_CLIENT_SECRET: 'y',
  })
  try {
    const login = await request.get(`${lonely.url}/v1/oauth/login`, { maxRedirects: 0 })
    expect(login.status()).toBe(503)
    expect(await login.json()).toEqual({ code: 'unavailable', message: expect.any(String) })
    expect((await request.get(`${lonely.url}/healthz`)).status()).toBe(200)
  } finally {
    await lonely.stop()
  }
})
