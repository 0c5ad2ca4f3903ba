// Webhooks as the people of a lender see them.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addEndpoint } from '../../plugins/webhooks/endpoints.ts'
import { queueWebhook } from '../../plugins/webhooks/queue.ts'
import { deriveKeys } from '../../service/keys.ts'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { mainOf, type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'

let service: TestService
let browser: TestBrowser
let receiver: WebhookReceiver

beforeAll(async () => {
  service = await startTestService()
  receiver = await startWebhookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await service.stop()
})
beforeEach(async () => {
  service.time.nowMs = Date.now()
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterEach(async () => {
  receiver.state.misbehave = null
  receiver.received.length = 0
  await service.database.run('DELETE FROM webhook_delivery')
  await service.database.run('DELETE FROM webhook_endpoint')
})

const page = async (path: string) => (await browser.visit(path)).text

async function add(tenantId: string, url = receiver.url): Promise<string> {
  const keys = deriveKeys(service.config.secretKeys).webhooks
  const added = await addEndpoint(service.database, keys, { tenantId, url, nowMs: service.time.nowMs })
  receiver.state.secret = added?.secret ?? ''
  return added?.id ?? ''
}

const send = (id: string, form: { [name: string]: string } = {}) =>
  browser.visit(`/console/webhooks/${id}/test`, { form })

test('an address is added with a secret shown once, and removed; a bad one is refused in words', async () => {
  const refused = await browser.visit('/console/webhooks', { form: { url: 'https://user:pass@shop.example/' } })
  expect(wordsOf(refused.text)).toContain('must not contain a user name or password')
  const added = await browser.visit('/console/webhooks', { form: { url: 'https://shop.example/webhook' } })
  const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(added.text) ?? []
  expect(secret).not.toBe('')
  const listed = await page('/console/webhooks')
  expect(listed).toContain('<code>https://shop.example/webhook</code>')
  expect(listed).not.toContain('whsec_')
  const [, id = ''] = /webhooks\/(we-\w+)\/remove/.exec(listed) ?? []
  const rotated = await browser.visit(`/console/webhooks/${id}/rotate`, { form: {} })
  expect(rotated.text).toContain('whsec_')
  expect(rotated.text).not.toContain(secret)
  await browser.visit(`/console/webhooks/${id}/remove`, { form: {} })
  expect(await page('/console/webhooks')).not.toContain(id)
})

describe('a test event', () => {
  test('is signed, arrives once for one press, and the page shows the answer, the attempt and the body', async () => {
    const id = await add('demo-lender')
    const press = await browser.newPress()
    const sent = await send(id, { press })
    expect(sent.response.status).toBe(200)
    expect(sent.url.pathname).toMatch(new RegExp(`^/console/webhooks/events/[0-9a-f-]{36}_${id}$`))
    expect(wordsOf(sent.text)).toMatch(
      /The test event was delivered to http.*Status Delivered.*Last answer Accepted Attempts 1/,
    )
    expect(wordsOf(sent.text)).toMatch(/Newest attempts Answer Time Took Accepted .* \d+ ms/)
    expect(sent.text).toContain(`&quot;endpointId&quot;: &quot;${id}`)
    await send(id, { press })
    expect(receiver.received.map(({ type, data }) => ({ type, ...data }))).toEqual([
      { type: 'endpoint.test', tenantId: 'demo-lender', endpointId: id },
    ])
    // Nothing is left for the sender.
    expect(await service.webhooks.sendDue()).toBe(0)
  })

  test('one that is refused is not tried again by itself, and is sent again by hand', async () => {
    const id = await add('demo-lender')
    receiver.state.misbehave = (_request, response) => response.writeHead(500).end()
    const refused = await send(id)
    expect(wordsOf(refused.text)).toMatch(/A test event was sent\. .*Given up.*Last answer HTTP 500/)
    service.time.nowMs += 86_400_000
    expect(await service.webhooks.sendDue()).toBe(0)
    service.time.nowMs = Date.now()
    receiver.state.misbehave = null
    const again = await browser.visit(`${refused.url.pathname}/resend`, { form: {} })
    expect(wordsOf(again.text)).toMatch(/endpoint\.test The event is sent again\. Status On its way/)
    expect(await service.webhooks.sendDue()).toBe(1)
    expect(wordsOf(await page(refused.url.pathname))).toMatch(/Status Delivered.*Accepted .* ms HTTP 500 .* ms Body/)
  })

  test('a server that is away is named as that', async () => {
    const id = await add('demo-lender', 'http://127.0.0.1:1/webhook')
    expect(wordsOf((await send(id)).text)).toContain('Last answer Connection refused')
  })
})

describe('a delivery', () => {
  const queue = (tenantId: string, creditReportId: string, externalReference: string) =>
    queueWebhook(
      service.database,
      {
        type: 'credit-report.completed',
        data: { tenantId, creditReportId, status: 'complete', externalReference, test: false },
      },
      service.time.nowMs,
    )
  const idOf = async () => (await service.database.first<{ id: string }>('SELECT id FROM webhook_delivery'))?.id ?? ''

  test('the list shows its address, the last answer and the next try; its page escapes what the lender wrote', async () => {
    await add('demo-lender')
    await queue('demo-lender', 'r1', '<script>alert(1)</script>')
    receiver.state.misbehave = (_request, response) => response.writeHead(302, { Location: '/x' }).end()
    await service.webhooks.sendDue()
    const listed = await page('/console/webhooks')
    expect(wordsOf(listed)).toMatch(
      /credit-report\.completed http:\/\/127\.0\.0\.1:\d+\/webhook On its way next try \d+ \w+ \d{4}, [\d:]+ 1 A redirect, which is not followed/,
    )
    const shown = await page(`/console/webhooks/events/${await idOf()}`)
    expect(mainOf(shown)).not.toContain('<script>')
    expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  })

  test.each(['before=zzz', 'status=zzz', 'type=zzz', 'webhook=zzz'])('%s is no page', async (query) => {
    const { response, text } = await browser.visit(`/console/webhooks?${query}`)
    expect([response.status, wordsOf(text)]).toEqual([404, expect.stringContaining('Part of this address is unknown')])
  })

  test('is found by its state, leads to its check, shows the answer, and is sent again with all others that failed', async () => {
    const id = await add('demo-lender')
    await queue('demo-lender', 'r1', 'order')
    receiver.state.misbehave = (_request, response) => response.writeHead(500).end('out of <b>memory</b>')
    await service.webhooks.sendDue()
    await service.database.run(`UPDATE webhook_delivery SET status = 'parked'`)
    const listed = await page('/console/webhooks?status=parked&type=credit-report.completed')
    expect(wordsOf(listed)).toContain('One event could not be delivered so far.')
    expect(listed).toContain('<option value="parked" selected>')
    expect(listed).toContain(`/console/webhooks/events/${await idOf()}`)
    expect(wordsOf(await page('/console/webhooks?status=delivered'))).toContain('No event matches.')
    expect(wordsOf(await page(`/console/webhooks?type=endpoint.test&webhook=${id}`))).toContain('No event matches.')
    const shown = await page(`/console/webhooks/events/${await idOf()}`)
    expect(shown).toContain('href="/console/checks/r1"')
    expect(shown).toContain('out of &lt;b&gt;memory&lt;/b&gt;')
    receiver.state.misbehave = null
    const again = await browser.visit('/console/webhooks/resend-failed', { form: {} })
    expect(wordsOf(again.text)).toContain('One event is sent again.')
    expect(await service.webhooks.sendDue()).toBe(1)
    expect(wordsOf(await page('/console/webhooks'))).not.toContain('could not be delivered')
  })

  test('the same address is refused, and an address can get some events only', async () => {
    const form = { url: 'https://shop.example/some', types: 'wallet.low' }
    expect(wordsOf((await browser.visit('/console/webhooks', { form })).text)).toContain('The address was added.')
    expect(wordsOf(await page('/console/webhooks'))).toContain('Only wallet.low')
    const again = await browser.visit('/console/webhooks', { form })
    expect(wordsOf(again.text)).toContain('Must not be an address that is here already.')
  })

  test('fifty are a page, and older ones follow without a gap', async () => {
    await add('demo-lender')
    for (let count = 0; count < 51; count += 1) await queue('demo-lender', `r${count}`, 'order')
    const first = await page('/console/webhooks')
    const [, older = ''] = /href="(\/console\/webhooks\?before=[^"]+)"/.exec(first) ?? []
    const second = await page(older)
    const ids = (text: string) => [...text.matchAll(/webhooks\/events\/([^"/]+)"/g)].map(([, id]) => id)
    expect([ids(first).length, ids(second).length]).toEqual([50, 1])
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(51)
  })
})
