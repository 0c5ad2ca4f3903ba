// The console in a real browser: on a desk and on a phone, in light and in dark.
import { findViolations } from './accessibility/axe.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

let service: ServiceProcess
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  service = await startServiceProcess()
  const token = await tokenOf('demo-lender', 'demo-secret')
  const session = await fetch(`${service.url}/v1/fingerprints/device/sessions`, { method: 'POST', body: 'a=1' })
  await fetch(`${service.url}/demo-lender/v1/credit-reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      sessionId: await session.text(),
      bureaus: ['equifax'],
      ipAddress: '203.0.113.9',
      searchType: 'pcp',
      firstName: 'Sam',
      lastName: 'Allow',
      dateOfBirth: '1985-03-27',
      addresses: [
        { type: 'current', ukAddress: { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' } },
      ],
    }),
  })
})
test.afterAll(() => service.stop())

async function tokenOf(client: string, secret: string): Promise<string | undefined> {
  const response = await fetch(`${service.url}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret }),
  })
  return (await response.json()).access_token
}

const LOOKS = [
  ['a desk, in light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['a phone, in dark', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
] as const

for (const [name, look] of LOOKS) {
  test.describe(`on ${name}`, () => {
    test.use(look)

    test('wallet, receipt, clients and profile are there, fit and pass an accessibility scan', async ({ page }) => {
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      const check = async () => {
        expect(await findViolations(page)).toEqual([])
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect(overflow).toBeLessThanOrEqual(0)
        const burst = await page.evaluate(() =>
          [...document.querySelectorAll('.panel, .figures > div')]
            .filter((box) => box.scrollWidth > box.clientWidth)
            .map((box) => box.textContent),
        )
        expect(burst).toEqual([])
      }
      await page.goto(`${service.url}/console`)
      await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
      await page.getByLabel('Password').fill('demo-password')
      await page.getByRole('button', { name: 'Continue' }).click()

      await expect(page.getByRole('heading', { name: 'Wrenfield' })).toBeVisible()
      await expect(page.getByText('£999.50')).toBeVisible()
      await check()
      await page
        .getByRole('link', { name: /^Receipt/ })
        .first()
        .click()
      await expect(page.getByRole('row', { name: /Credit report Delivered £0.50 500 credits/ })).toBeVisible()
      await check()

      await page.getByRole('link', { name: 'API clients' }).click()
      const clients = await page.getByRole('link', { name: /^Revoke/ }).count()
      await page.getByRole('button', { name: 'Create client' }).click()
      const secret = await page.getByRole('textbox', { name: 'Client secret' }).innerText()
      const id = await page.locator('dd code').innerText()
      await check()
      expect(await tokenOf(id, secret)).toBeTruthy()
      // A reload makes no second client, and does not show the secret again.
      await page.reload()
      await expect(page.getByText('That was shown once already and cannot be shown again.')).toBeVisible()
      await expect(page.getByRole('link', { name: `Revoke ${id}`, exact: true })).toHaveCount(1)
      await expect(page.getByRole('link', { name: /^Revoke/ })).toHaveCount(clients + 1)
      // One press by mistake must not stop a lender's shop.
      await page.getByRole('link', { name: `Revoke ${id}`, exact: true }).click()
      await expect(page.getByText('Servers that use it stop working within a minute.')).toBeVisible()
      expect(await tokenOf(id, secret)).toBeTruthy()
      await check()
      await page.getByRole('button', { name: 'Revoke for good' }).click()
      await expect(page.getByText(`${id} was revoked.`)).toBeVisible()
      await expect(page.getByRole('row', { name: new RegExp(`${id} Revoked`) })).toBeVisible()
      expect(await page.content()).not.toContain(secret)
      expect(await tokenOf(id, secret)).toBeUndefined()

      await page.getByRole('link', { name: 'Profile' }).click()
      await expect(page.getByText('sam@demo-lender.example')).toBeVisible()
      await check()
      for (const name of ['Spend caps', 'Checks', 'Webhooks', 'People', 'Audit']) {
        await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await check()
      }
      await page.getByRole('link', { name: 'Webhooks' }).click()
      await page.getByLabel('Address of your server').fill('https://shop.example/webhook')
      await page.getByRole('button', { name: 'Add' }).click()
      await expect(page.getByRole('textbox', { name: 'Signing secret' })).toBeVisible()
      await check()
      await page.getByRole('link', { name: 'Spend caps' }).click()
      await page
        .getByRole('group', { name: /^Reports/ })
        .getByLabel('Pounds in a day')
        .fill('many')
      await page.getByRole('button', { name: 'Save the caps' }).click()
      await expect(page.getByText('Type a whole number of credits')).toBeVisible()
      await check()
      // Refused answers are errors to the browser's own console.
      expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
    })

    test('an owner invites a person by mail, who joins with a password of their own and is removed again', async ({
      page,
      browser,
    }, { project, parallelIndex }) => {
      const email = `pat-${project.name}-${parallelIndex}-${look.viewport.width}@wrenfield.example`
      const check = async (on: typeof page) => {
        expect(await findViolations(on)).toEqual([])
        expect(await on.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      }
      await page.goto(`${service.url}/console/people`)
      await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
      await page.getByLabel('Password').fill('demo-password')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('E-mail', { exact: true }).fill(email)
      await page.getByRole('button', { name: 'Send the invitation' }).click()
      await expect(page.getByText(`The invitation was sent to ${email}.`)).toBeVisible()
      await check(page)

      const theirs = await (await browser.newContext(look)).newPage()
      await theirs.goto(`${service.url}/demo/mail`)
      await check(theirs)
      await theirs.getByRole('article').filter({ hasText: email }).getByRole('link').click()
      await check(theirs)
      await theirs.getByLabel('First name').fill('Pat')
      await theirs.getByLabel('Last name').fill('Doe')
      await theirs.getByLabel('Password').fill('a password of their own')
      await theirs.getByRole('button', { name: 'Make my account and join' }).click()
      await theirs.getByLabel('E-mail address').fill(email)
      await theirs.getByLabel('Password').fill('a password of their own')
      await theirs.getByRole('button', { name: 'Continue' }).click()
      await expect(theirs.getByRole('heading', { name: 'Wrenfield' })).toBeVisible()

      await page.goto(`${service.url}/console/people`)
      await page.getByRole('link', { name: `Remove ${email}` }).click()
      await expect(page.getByText(`${email} can no longer act for Wrenfield`)).toBeVisible()
      await check(page)
      await page.getByRole('button', { name: 'Remove' }).click()
      await expect(page.getByText(`${email} was removed.`)).toBeVisible()
      await theirs.reload()
      await expect(theirs.getByText('You are not a member of any lender.')).toBeVisible()
      await check(theirs)
      await theirs.context().close()
    })
  })
}
