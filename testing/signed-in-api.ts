// Test support: routes of the API as a signed-in person asks them. The service starts before the tests of a file and
// stops after them.
import { afterAll, beforeAll } from 'vitest'
import { dataOf } from './data-of.ts'
import { ORIGIN, SAM, startTestService, type TestService } from './portal-service.ts'

/** `ask('POST /id', body)`, below `/<lender>/v1/<routes>`. */
export function signedInApi(routes: string) {
  let service: TestService
  let cookie: string
  beforeAll(async () => {
    service = await startTestService()
    const browser = service.browser()
    await browser.signIn(...SAM, '/console')
    cookie = browser.cookies()
  })
  afterAll(() => service.stop())

  async function ask(route: string, body?: unknown, { tenantId = 'demo-lender', origin = ORIGIN } = {}) {
    const [method = '', path = ''] = route.split(' ')
    const headers = { Cookie: cookie, Origin: origin, 'Content-Type': 'application/json' }
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const url = `${ORIGIN}/${tenantId}/v1/${routes}${path}`
    const response = await service.fetch(new Request(url, { method, headers, ...given }))
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : dataOf(JSON.parse(text)) }
  }
  return { ask, service: () => service }
}
