// The page of a consumer while the service is down, and one that is far ahead of its server.
import type { Page } from '@playwright/test'
import { expect, test } from './lender/stage.ts'
import { type Program, startProgram } from './program.ts'
import type { Consumer } from './widget-pages/stage.ts'

const UNAVAILABLE = 'This check is not available right now'
let lender: Program | null = null

test.afterEach(async ({ front, lender: { proxy } }) => {
  front.upstream = proxy.url
  await lender?.end()
  lender = null
})

async function deploy(env: Record<string, string>): Promise<string> {
  lender = await startProgram({ script: 'e2e/lender/lender.mjs', env, address: /lender: (http:\S+)/ })
  return lender.url
}

const diagnose = (page: Page) =>
  page.evaluate(async () => (await document.querySelector('credit-report-widget')?.diagnose()) ?? [])

async function seeEnd(consumer: Consumer): Promise<void> {
  await consumer.seeHeading(UNAVAILABLE)
  await expect(consumer.widget.getByRole('textbox')).toHaveCount(0)
}

test('a service that is down: what was typed stays, and the next try succeeds once it is up', async ({
  consumer,
  front,
  lender: { proxy },
}) => {
  front.upstream = await deploy({ SERVICE_URL: 'http://127.0.0.1:9' })
  await consumer.open()
  await consumer.toAnswers()
  await consumer.agree()
  await consumer.seeHeading('Sorry, something went wrong at our end')
  front.upstream = proxy.url
  await consumer.press('Try again')
  await consumer.seeHeading('Check your phone')
})

for (const [name, version] of [
  ['a page far ahead of its server', '99.0.0'],
  ['a page one major ahead', ''],
] as const)
  test(`${name}`, async ({ consumer, page }) => {
    const sent: string[] = []
    await page.route('**/credit-reports/**', (route, request) => {
      const own = request.headers()['x-credit-report-widget']
      if (own === undefined) return route.continue()
      sent.push(own)
      const headers = { ...request.headers(), 'x-credit-report-widget': version || nextMajor(own) }
      return route.continue({ headers })
    })
    await consumer.open()
    expect(sent[0]).toMatch(/^\d+\.\d+\.\d+$/)
    if (version === '') return consumer.toReport()
    await seeEnd(consumer)
    const [found] = await diagnose(page)
    expect(found?.problem).toContain(`widget is version 99.0.0, the proxy ${sent[0]}`)
  })

function nextMajor(version: string): string {
  return `${Number.parseInt(version, 10) + 1}.0.0`
}
