// The use of a session: with one from a real browser a live challenge can be passed, without one it cannot.
import { type APIRequestContext, expect } from '@playwright/test'
import { pageWith, plainTag, REGISTER } from './fingerprint-pages/page.ts'
import type { Stage } from './fingerprint-pages/servers.ts'
import { test } from './fingerprint-pages/stage.ts'

const consumer = {
  bureaus: ['experian'],
  ipAddress: '203.0.113.7',
  searchType: 'pcp',
  firstName: 'Sam',
  lastName: 'Example',
  dateOfBirth: '1990-02-28',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '1', townOrCity: 'Leeds', postcode: 'LS1 1AA' } }],
}

test('the session of a real browser passes a live challenge, for the consumer who used it first', async ({
  page,
  request,
  scene,
  stage,
}) => {
  await page.goto(scene.serve(pageWith(REGISTER + plainTag(scene.device))))
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  const sessionId: string = await page.evaluate('calls[0].sessionId')
  expect(await outcomeOf(request, stage, { sessionId, mobileNumber: '+447700900001' })).toBe('complete')
  expect(await outcomeOf(request, stage, { sessionId, mobileNumber: '+447700900002' })).toBe('complete')
  const other = { lastName: 'Other', mobileNumber: '+447700900003' }
  expect(await outcomeOf(request, stage, { ...other, sessionId })).toBe('failed')
})

test('an invented session fails the challenge, even with the right code', async ({ request, stage }) => {
  const invented = { sessionId: 'x'.repeat(32), mobileNumber: '+447700900004' }
  expect(await outcomeOf(request, stage, invented)).toBe('failed')
})

/** Asks for a live report, reads the text on the demo's phone, types its code, and tells how it ended. */
async function outcomeOf(
  request: APIRequestContext,
  { service }: Stage,
  details: { sessionId: string; mobileNumber: string; lastName?: string },
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'demo-lender', client_secret: 'demo-secret' }
  const { access_token } = await (await request.post(`${service}/v1/oauth/token`, { form })).json()
  const headers = { Authorization: `Bearer ${access_token}` }
  const reports = `${service}/demo-lender/v1/credit-reports`

  const generated = await request.post(reports, { headers, data: { ...consumer, ...details } })
  const { data } = await generated.json()
  expect(data).toMatchObject({ status: 'authentication-required' })

  const texts: { to: string; body: string }[] = await (await request.get(`${service}/demo/sms`, { headers })).json()
  const text = texts.find(({ to }) => to === details.mobileNumber)
  const [code] = /\b\d{6}\b/.exec(text?.body ?? '') ?? []
  const submitted = await request.post(`${reports}/${data.creditReportId}/otp-challenge`, {
    headers,
    data: { challengeId: data.challenge.challengeId, code },
  })
  return (await submitted.json()).data.status
}
