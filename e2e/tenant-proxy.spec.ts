// The mount as a real browser meets it: what a page can see of the cookie, and what a foreign page can do to it.
import type { Page } from '@playwright/test'
import { expect, test } from './stack.ts'
import type { Stack } from './stack-process.ts'

const details = {
  firstName: 'Sam',
  lastName: 'Example',
  dateOfBirth: '1985-03-27',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' } }],
  mobileNumber: '+447700900123',
}

/** Begins a live check from the page, with a device session as the fingerprint script would have it. */
async function begin(page: Page, { service }: Stack) {
  const session = await fetch(`${service}/v1/fingerprints/device/sessions`, { method: 'POST', body: '{}' })
  return page.evaluate(
    async (body) => {
      // The first question sets the cookie without which no check begins.
      await fetch('/credit-reports/current')
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch('/credit-reports', { method: 'POST', headers, body: JSON.stringify(body) })
      return response.json()
    },
    { ...details, sessionId: await session.text() },
  )
}

const current = (page: Page) => page.evaluate(async () => (await (await fetch('/credit-reports/current')).json()).data)

test('no script can read the cookie, and a reload comes back to the challenge', async ({ page, stack }) => {
  await page.goto('/')
  const { data } = await begin(page, stack)
  expect(data.status).toBe('authentication-required')
  expect(await page.evaluate(() => document.cookie)).not.toContain('credit-report')
  const [cookie] = (await page.context().cookies(`${page.url()}credit-reports`)).filter(
    ({ name }) => name === 'credit-report',
  )
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  await page.reload()
  expect(await current(page)).toMatchObject({ creditReportId: data.creditReportId, challenge: { textsRemaining: 2 } })
})

test('the widget and its chunks come from the mount, and nothing comes uncompressed', async ({ page }) => {
  const scripts: string[] = []
  page.on('response', async (response) => {
    if (!response.url().includes('/credit-reports/') || !response.url().endsWith('.js')) return
    scripts.push(`${response.status()} ${response.headers()['content-encoding']}`)
  })
  await page.goto('/')
  await expect.poll(() => scripts.length).toBeGreaterThan(0)
  expect(new Set(scripts)).toEqual(new Set(['200 br']))
})

const foreign: [string, (stack: Stack) => string][] = [
  ['of another site', ({ shop }) => `${shop.replace('localhost', '127.0.0.1')}/foreign`],
  ['of the same site on another origin', ({ service }) => `${service}/foreign`],
]
for (const [whose, addressOf] of foreign) {
  test(`a page ${whose} can neither begin a check nor send a code`, async ({ page, stack }) => {
    await page.goto('/')
    const { data } = await begin(page, stack)
    const address = addressOf(stack)
    await page.route(address, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>foreign</title>' }),
    )

    const answers: number[] = []
    page.on('response', (response) => {
      // The shop's own page may still be fetching a script ahead.
      const isRead = response.request().method() === 'GET'
      if (!isRead && response.url().startsWith(`${stack.shop}/credit-reports`)) answers.push(response.status())
    })
    const targets = [
      { url: `${stack.shop}/credit-reports`, body: JSON.stringify(details) },
      {
        url: `${stack.shop}/credit-reports/${data.creditReportId}/otp-challenge`,
        body: JSON.stringify({ challengeId: data.challenge.challengeId, code: '000000' }),
      },
      {
        url: `${stack.shop}/credit-reports/${data.creditReportId}/resend-sms`,
        body: JSON.stringify({ challengeId: data.challenge.challengeId }),
      },
    ]
    for (const target of targets) {
      await page.goto(address)
      const fetched = await page.evaluate(async ({ url, body }) => {
        const attempts: RequestInit[] = [
          { mode: 'no-cors', body },
          { mode: 'no-cors', body: new URLSearchParams({ body }) },
          { mode: 'cors', body },
          { mode: 'cors', body, headers: { 'Content-Type': 'application/json' } },
        ]
        const statuses = []
        for (const attempt of attempts) {
          const response = await fetch(url, { method: 'POST', credentials: 'include', ...attempt }).catch(() => null)
          statuses.push(response === null ? 'blocked' : response.type)
        }
        return statuses
      }, target)
      expect(fetched).toEqual(['blocked', 'blocked', 'blocked', 'blocked'])
      const navigated = page.waitForResponse(target.url)
      await page.evaluate(({ url, body }) => {
        const form = Object.assign(document.createElement('form'), {
          method: 'post',
          action: url,
          enctype: 'text/plain',
        })
        form.append(Object.assign(document.createElement('input'), { name: body, value: '' }))
        document.body.append(form)
        form.submit()
      }, target)
      expect((await navigated).status()).toBe(403)
      await page.waitForURL(target.url)
    }
    // Writes are refused; the question a browser asks first is not a method of the mount.
    expect(answers.filter((status) => status !== 403 && status !== 405)).toEqual([])

    // The service itself says that nothing was counted.
    await page.goto('/')
    const post = (path: string, body: object) =>
      page.evaluate(
        async ([url, text]) => {
          const headers = { 'Content-Type': 'application/json' }
          return (await (await fetch(url, { method: 'POST', headers, body: text })).json()).data
        },
        [`/credit-reports/${data.creditReportId}/${path}`, JSON.stringify(body)] as const,
      )
    const { challengeId } = data.challenge
    expect(await post('resend-sms', { challengeId })).toMatchObject({ smsSentCount: 2 })
    expect(await post('otp-challenge', { challengeId, code: 'wrong' })).toMatchObject({ attemptsRemaining: 2 })
  })
}
