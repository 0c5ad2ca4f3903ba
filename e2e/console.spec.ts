// The console in a real browser: on a desk and on a phone, in light and in dark.
import type { Page } from '@playwright/test'
import { findViolations, type Look, OF_COLOURS } from './accessibility/axe.ts'
import { type ServiceProcess, startServiceProcess } from './service-process.ts'
import { expect, test } from './worker.ts'

let service: ServiceProcess
let creditReportId: string

/** One word that nothing may be widened by, and that no page may take for markup. */
const LONG_REFERENCE = '<b>=x'.padEnd(200, 'W')

test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  service = await startServiceProcess()
  const token = await tokenOf('demo-lender', 'demo-secret')
  const session = await fetch(`${service.url}/v1/fingerprints/device/sessions`, { method: 'POST', body: 'a=1' })
  const response = await fetch(`${service.url}/demo-lender/v1/credit-reports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      sessionId: await session.text(),
      bureaus: ['equifax'],
      ipAddress: '203.0.113.9',
      searchType: 'pcp',
      firstName: 'Sam',
      lastName: 'Allow',
      externalReference: LONG_REFERENCE,
      dateOfBirth: '1985-03-27',
      addresses: [
        { type: 'current', ukAddress: { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' } },
      ],
    }),
  })
  creditReportId = (await response.json()).data.creditReportId
})
test.afterAll(() => service.stop())

async function tokenOf(client: string, secret: string): Promise<string | undefined> {
  const response = await fetch(`${service.url}/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret }),
  })
  return (await response.json()).access_token
}

/** Every page with a heading of its own; one check's page is looked at beside them. */
const PAGES = [
  '',
  '/checks',
  '/money',
  '/caps',
  '/links',
  '/setup',
  '/hosted-page',
  '/clients',
  '/webhooks',
  '/people',
  '/data',
  '/audit',
  '/profile',
  '/tenants',
]

// The menu and the cards are on phones alone, so that their colours in light are seen nowhere else.
const ON_PHONES = [...OF_COLOURS, 'target-size']
const DESK = { width: 1280, height: 900 }
const LIGHT_DESK = { viewport: DESK, colorScheme: 'light' } as const
const DARK_PHONE = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' } as const
/**
 * A page is loaded once for each kind of screen, and looked at twice. Overflow is checked in each look; axe looks again
 * only for what can have changed, since it takes most of the time.
 */
const SCREENS = [
  [
    'a desk',
    [
      [LIGHT_DESK, {}],
      [{ viewport: DESK, colorScheme: 'dark' }, { rules: OF_COLOURS }],
    ],
  ],
  [
    'phones',
    [
      [{ viewport: { width: 390, height: 844 }, colorScheme: 'light' }, { rules: ON_PHONES }],
      [DARK_PHONE, {}],
    ],
  ],
] as const

async function signIn(page: Page, path = '/console') {
  await page.goto(service.url + path)
  await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
  await page.getByLabel('Password').fill('demo-password')
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Accessible, no wider than the window, and nothing in it that scrolls sideways or bursts its box. */
async function check(page: Page, look: Look = {}) {
  expect(await findViolations(page, look)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  const burst = await page.evaluate(() =>
    [...document.querySelectorAll('.panel, .figures > div, table, tbody tr, td, .top, .menu')]
      .filter((box) => box.scrollWidth > box.clientWidth + 1)
      .map((box) => box.outerHTML.slice(0, 200)),
  )
  expect(burst).toEqual([])
}

for (const [name, looks] of SCREENS) {
  test(`on ${name}, in light and in dark, every page fits and is accessible`, async ({ browser }) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const checkLooks = async () => {
      for (const [{ viewport, colorScheme }, axe] of looks) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await check(page, axe)
      }
    }
    await page.goto(`${service.url}/console`)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await checkLooks()
    // As wide as its form, not as the navigation that it does not have.
    expect((await page.getByRole('main').boundingBox())?.width).toBeGreaterThan(300)
    await signIn(page)
    for (const path of [...PAGES, `/checks/${creditReportId}`]) {
      await page.goto(`${service.url}/console${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await checkLooks()
    }
    await page.goto(`${service.url}/console/links`)
    await page.getByLabel('Mode').selectOption('test')
    await page.getByRole('button', { name: 'Make the link' }).click()
    await expect(page.getByRole('img', { name: 'QR code of the check' })).toBeVisible()
    await checkLooks()
    // The navigation is beside the page, or in a menu that names it.
    await page.goto(`${service.url}/console/audit`)
    if (name === 'phones') await page.getByText('Menu: Audit').click()
    await expect(page.getByRole('navigation', { name: 'Console' })).toHaveCount(1)
    await expect(page.getByRole('link', { name: 'Audit', exact: true })).toHaveAttribute('aria-current', 'page')
    await checkLooks()
    await page.getByRole('link', { name: 'API reference' }).click()
    await expect(page.getByRole('heading', { name: 'API reference' })).toBeVisible()
    await context.close()
  })
}

test('a printed page has its table and neither navigation nor forms', async ({ browser }) => {
  const context = await browser.newContext({ viewport: DESK })
  const page = await context.newPage()
  await signIn(page, '/console/checks')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expect(page.getByRole('search')).toHaveCount(0)
  await expect(page.getByRole('button')).toHaveCount(0)
  // On wide paper too: not beside the room of the navigation.
  expect((await page.getByRole('main').boundingBox())?.width).toBeGreaterThan(DESK.width - 50)
  await context.close()
})

for (const look of [LIGHT_DESK, DARK_PHONE]) {
  test.describe(`${look.viewport.width} wide, in ${look.colorScheme}`, () => {
    test.use(look)

    test('a report opens with a reason, once, and prints', async ({ page }) => {
      await signIn(page, `/console/checks/${creditReportId}`)
      await page.getByRole('link', { name: 'Open the report' }).click()
      await page.getByLabel('Why do you need to see it?').fill('complaint 4711, "balance" <disputed>')
      await check(page)
      await page.getByRole('button', { name: 'Open the report' }).click()
      await expect(page.getByRole('heading', { name: 'Credit report' })).toBeVisible()
      await expect(page.getByRole('table', { name: 'Addresses' })).toContainText('Ambleford')
      await check(page)
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('table', { name: 'Accounts' })).toBeVisible()
      await expect(page.getByRole('navigation')).toHaveCount(0)
      await page.emulateMedia({ media: 'screen' })
      // Neither a reload nor the way back shows it again.
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Open the report' })).toBeVisible()
      await page.goto(`${service.url}/console/audit`)
      await expect(page.getByText('reason: complaint 4711, "balance" <disputed>').first()).toBeVisible()
    })

    test('a client is made, shown once and revoked; a webhook is added; a wrong cap is refused', async ({ page }) => {
      const problems: string[] = []
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      await signIn(page, '/console/clients')
      const clients = await page.getByRole('link', { name: /^Revoke/ }).count()
      const name = `Webshop ${Date.now()}`
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('button', { name: 'Create client' }).click()
      const secret = await page.getByRole('textbox', { name: 'Client secret' }).innerText()
      const id = await page.locator('[aria-labelledby=once] dd code').innerText()
      await check(page)
      expect(await tokenOf(id, secret)).toBeTruthy()
      // A reload makes no second client, and does not show the secret again.
      await page.reload()
      await expect(page.getByText('That was shown once already and cannot be shown again.')).toBeVisible()
      await expect(page.getByRole('link', { name: `Revoke ${name}`, exact: true })).toHaveCount(1)
      await expect(page.getByRole('link', { name: /^Revoke/ })).toHaveCount(clients + 1)
      // One press by mistake must not stop a lender's shop.
      await page.getByRole('link', { name: `Revoke ${name}`, exact: true }).click()
      await expect(page.getByText('Servers that use it stop working within a minute.', { exact: false })).toBeVisible()
      expect(await tokenOf(id, secret)).toBeTruthy()
      await check(page)
      await page.getByRole('button', { name: 'Revoke for good' }).click()
      await expect(page.getByText(`${id} was revoked.`)).toBeVisible()
      await expect(page.getByRole('row', { name: new RegExp(`${id} Revoked`) })).toBeVisible()
      await check(page)
      expect(await page.content()).not.toContain(secret)
      expect(await tokenOf(id, secret)).toBeUndefined()

      await page.goto(`${service.url}/console/webhooks`)
      await page.getByLabel('Address of your server').fill(`https://shop.example/${Date.now()}`)
      await page.getByRole('button', { name: 'Add' }).click()
      await expect(page.getByRole('textbox', { name: 'Signing secret' })).toBeVisible()
      await check(page)
      await page.goto(`${service.url}/console/caps`)
      await page.getByRole('group', { name: 'Reports' }).getByLabel('Pounds in a day').fill('many')
      await page.getByRole('button', { name: 'Save the caps' }).click()
      await expect(page.getByText('Type an amount in pounds')).toBeVisible()
      await check(page)
      // Refused answers are errors to the browser's own console.
      expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
    })

    test('an owner invites a person by mail, who joins with a password of their own and is removed again', async ({
      page,
      browser,
    }, { project, parallelIndex }) => {
      const email = `pat-${project.name}-${parallelIndex}-${look.viewport.width}@wrenfield.example`
      await signIn(page, '/console/people')
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
      await expect(theirs.getByText('Your account is ready. Sign in with it.')).toBeVisible()
      await expect(theirs.getByLabel('E-mail address')).toHaveValue(email)
      await check(theirs)
      await theirs.getByLabel('Password').fill('a password of their own')
      await theirs.getByRole('button', { name: 'Continue' }).click()
      await expect(theirs.getByRole('banner')).toContainText('Wrenfield')

      await page.goto(`${service.url}/console/people`)
      const remove = page.getByRole('link', { name: `Remove ${email}` })
      await expect(remove).toBeHidden()
      await page.getByLabel(`Change ${email}`).click()
      await check(page)
      await page.keyboard.press('Escape')
      await expect(remove).toBeHidden()
      await page.getByLabel(`Change ${email}`).click()
      await remove.click()
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

test('a secret is copied by a button, which says so', async ({ browser }) => {
  const context = await browser.newContext({ viewport: DESK, permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await signIn(page, `/console/checks/${creditReportId}`)
  const button = page.getByRole('button', { name: 'Copy Credit report id' })
  await button.click()
  await expect(page.getByRole('button', { name: 'Copied Credit report id' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(creditReportId)
  await expect(button).toBeVisible()
  await context.close()
})

test('without the script every page works: no button to copy, and texts are selected by a click', async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: DESK, javaScriptEnabled: false })
  const page = await context.newPage()
  await signIn(page, `/console/checks/${creditReportId}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0)
  await context.close()
})

test('a slash leads to the search, unless it is typed into a field or turned off in the profile', async ({ page }) => {
  await signIn(page, '/console/profile')
  const search = page.getByRole('searchbox', { name: 'Find a check' })
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('a/b')
  await expect(search).toHaveValue('a/b')
  await page.getByLabel('Press / on any page to go to the search').uncheck()
  await page.goto(`${service.url}/console/checks`)
  await page.keyboard.press('/')
  await expect(search).not.toBeFocused()
  await page.goto(`${service.url}/console/profile`)
  await page.getByLabel('Press / on any page to go to the search').check()
})

test('a form that was sent too late is filled in again after the sign-in, and sent by its person', async ({
  browser,
}) => {
  const [context, elsewhere] = [await browser.newContext({ viewport: DESK }), await browser.newContext()]
  const [page, other] = [await context.newPage(), await elsewhere.newPage()]
  await signIn(page, '/console/clients')
  await expect(page.getByRole('heading', { name: 'API clients' })).toBeVisible()
  const name = `Late "shop" ${Date.now()}`
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('run credit checks').uncheck()
  await page.getByLabel('read the audit trail').check()
  await page.getByLabel('The secret ends').selectOption('after 90 days')
  await signIn(other, '/console/profile')
  await other.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(other.getByText('Signed out there.')).toBeVisible()

  await page.getByRole('button', { name: 'Create client' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
  await page.getByLabel('Password').fill('demo-password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('You were signed out, and the form was not sent.')).toBeVisible()
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
  await expect(page.getByLabel('run credit checks')).not.toBeChecked()
  await expect(page.getByLabel('read the audit trail')).toBeChecked()
  await expect(page.getByLabel('The secret ends')).toHaveValue('90')
  await check(page)
  await page.getByRole('button', { name: 'Create client' }).click()
  await expect(page.getByText(`${name} was created.`)).toBeVisible()
  for (const each of [context, elsewhere]) await each.close()
})
