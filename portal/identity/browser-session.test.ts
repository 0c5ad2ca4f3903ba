import { expect, test } from 'vitest'
import { ORIGIN, SAM, startTestService } from '../../testing/portal-service.ts'
import { createTestBrowser } from '../../testing/service-browser.ts'
import { nameBrowser } from './browser-session.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36'

test.each([
  [CHROME, 'Chrome on Windows'],
  [`${CHROME} Edg/131.0`, 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S918B) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36',
    'Samsung Internet on Android',
  ],
  ['curl/8.9', null],
  [undefined, null],
  [`${'x'.repeat(1_000)} Chrome/1`, null],
])('%s is %s', (agent, expected) => {
  expect(nameBrowser(agent)).toBe(expected)
})

test('the profile names the browser of each session', async () => {
  const service = await startTestService()
  try {
    const withAgent = (request: Request) => {
      request.headers.set('User-Agent', CHROME)
      return service.fetch(request)
    }
    const browser = createTestBrowser(withAgent, ORIGIN)
    await browser.signIn(...SAM, '/console')
    expect((await browser.visit('/console/profile')).text).toContain('Chrome on Windows')
  } finally {
    await service.stop()
  }
})
