import { expect, test } from 'vitest'
import documentText from '../../docs/openapi.json?raw'
import { createTestApp, testRequest } from '../../testing/test-app.ts'

/** Headers that every answer of a web server may carry. */
const GENERAL = /^(?:content-|cache-control|cross-origin-|referrer-policy|x-content-type-options)/

test('every header of an answer that a caller could use is described', async () => {
  const app = await createTestApp()
  const key = { 'Idempotency-Key': 'described' }
  await app.generate(testRequest('challenge'), key)
  const generated = await app.generate(testRequest('challenge'), key)
  const resent = await app.resend(generated.body.data)
  const submitted = await app.submit(generated.body.data, '000000')
  await app.close()

  const { paths } = JSON.parse(documentText)
  const reports = '/{tenantId}/v1/credit-reports'
  for (const [path, { status, headers }] of [
    [reports, generated],
    [`${reports}/{creditReportId}/resend-sms`, resent],
    [`${reports}/{creditReportId}/otp-challenge`, submitted],
  ] as const) {
    expect(status).toBe(200)
    const described = Object.keys(paths[path].post.responses[200].headers).map((name) => name.toLowerCase())
    const useful = [...headers.keys()].filter((name) => !GENERAL.test(name))
    expect(useful).toContain('x-challenge-expires-in')
    expect(described).toEqual(expect.arrayContaining(useful))
  }
})
