// Everything that a browser can change: from the lender's own page alone, not too often, and both are said to the
// lender.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestMount, refused, type TestMount } from '../testing/proxy-mount.ts'

let at: TestMount
beforeEach(async () => {
  at = await createTestMount()
})
afterEach(() => at.service.stop())

const writes: [operation: string, method: 'post' | 'delete', path: string][] = [
  ['generate', 'post', ''],
  ['otp-challenge', 'post', '/report-1/otp-challenge'],
  ['resend-sms', 'post', '/report-1/resend-sms'],
  ['open', 'post', '/current/open'],
  ['forget', 'delete', '/current'],
  ['draft', 'post', '/draft'],
  ['draft', 'delete', '/draft'],
  ['steps', 'post', '/steps'],
]

describe.each(writes)('%s (%s {mount}%s)', (operation, method, path) => {
  const write = async (headers: { [name: string]: string } = {}) => {
    // As a page does before it writes anything.
    await at.browser.get('/credit-reports/current')
    const url = `/credit-reports${path}`
    return method === 'post' ? at.browser.post(url, {}, headers) : at.browser.delete(url, headers)
  }

  test('is refused to a page elsewhere', async () => {
    const response = await write({ Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' })
    expect(await refused(response)).toEqual({
      status: 403,
      code: 'forbidden',
      message: 'This page may not ask for a check.',
    })
    expect(at.events).toEqual([{ type: 'refused', operation, code: 'forbidden' }])
  })

  test('is refused when it is one too many', async () => {
    at.mount({ limits: { writesMax: 0 } })
    const response = await write()
    expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '600'])
    expect(at.events).toEqual([{ type: 'refused', operation, code: 'rate-limited' }])
  })

  test('is none of the service’s business until its body is read', async () => {
    expect((await write()).status).toBe(method === 'post' ? 400 : operation === 'forget' ? 200 : 204)
    expect([at.service.seen, at.events]).toEqual([[], []])
  })
})

test('where a reverse proxy changes `Host`, the lender reads why its own page is refused', async () => {
  await at.browser.get('/credit-reports/current')
  const from = { Origin: 'https://www.lender.example', 'Content-Type': 'application/json' }
  const cookie = [...at.browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  const request = new Request('https://internal.example/credit-reports', {
    method: 'POST',
    headers: { ...from, Cookie: cookie },
    body: '{}',
  })
  expect((await at.proxy(request, { remoteAddress: '203.0.113.7' })).status).toBe(403)
  expect(at.events).toEqual([
    {
      type: 'misconfigured',
      problem: expect.stringContaining('the page at https://www.lender.example may not begin a check'),
    },
    { type: 'refused', operation: 'generate', code: 'forbidden' },
  ])
})

test('an answer without a body is not kept by anyone, and sets no cookie', async () => {
  const response = await at.browser.post('/credit-reports/steps', { step: 'details', seconds: 0 })
  expect([response.status, response.headers.get('Cache-Control'), response.headers.getSetCookie()]).toEqual([
    204,
    'no-store',
    [],
  ])
})
