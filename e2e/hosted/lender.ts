// A lender that sends links, and consumers who open them in browsers.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { type Books, openBooks } from '../faults/ledger.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { type Consumer, createConsumer } from '../widget-pages/stage.ts'
import { expect } from '../worker.ts'

export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true }
export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }
export const TEST_CODE = '123456'

export type Link = { linkId: string; url: string; expiresAt: string }
export type Device = Consumer & { page: Page }
export type HostedLender = Awaited<ReturnType<typeof startHostedLender>>

export async function startHostedLender() {
  const service: ServiceProcess = await startServiceProcess()
  const grant = await fetch(`${service.url}/v1/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=demo-lender&client_secret=demo-secret',
  })
  const { access_token: token } = await grant.json()

  async function call(route: string, body?: object | Buffer): Promise<Response> {
    const [method = '', path = ''] = route.split(' ')
    const isBytes = Buffer.isBuffer(body)
    const sent = body === undefined ? {} : { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }
    return fetch(`${service.url}/demo-lender/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': isBytes ? 'image/png' : 'application/json' },
      ...sent,
    })
  }

  return {
    url: service.url,
    stop: () => service.stop(),
    call,
    link: async (wanted: object = { test: true }): Promise<Link> =>
      (await (await call('POST /links', wanted)).json()).data,
    read: async ({ linkId }: Link) => (await (await call(`GET /links/${linkId}`)).json()).data,
    books: (): Promise<Books> => openBooks(service.url, (isSo) => expect.poll(isSo).toBe(true)),
    /** A device of its own, in front of an address. */
    async device(browser: Browser, address: string, options: BrowserContextOptions = PHONE): Promise<Device> {
      const page = await (await browser.newContext({ ...options, locale: 'en-GB', reducedMotion: 'reduce' })).newPage()
      const device = { page, ...createConsumer(page, { page: () => address }) }
      await page.goto(address)
      return device
    },
  }
}
