// The widget beside other services' widgets, on a phone that is not new and a network that is not good: how much a page
// has to load, and how soon a consumer finds something to use.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { wholeBrowserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { fetchPeers } from '../scripts/fetch-peers.mjs'
import { compare, median, shuffled } from './measure.ts'
import { EMBED_PACKAGES, type Embed, ourEmbed, peerEmbeds } from './peers/embeds.ts'
import { PHONE_SCREEN, slowToAPhone } from './phone.ts'
import type { Row } from './row.ts'
import { EMBEDS } from './targets.ts'

const ROUNDS = 7
const APPEAR_LIMIT_MS = 60_000

export async function run(): Promise<Row[]> {
  const modules = fetchPeers('embeds', EMBED_PACKAGES)
  if (!modules) return []
  const ours = ourEmbed()
  const peers = peerEmbeds(modules)
  const site = await openSite([ours, ...peers])
  const browser = await chromium.launch(wholeBrowserLaunchOptions())
  try {
    const times = new Map([ours, ...peers].map((embed) => [embed, [] as number[]]))
    for (let round = 0; round < ROUNDS; round++)
      for (const embed of shuffled([...times.keys()]))
        times.get(embed)?.push(await timeToAppear(browser, site.addressOf(embed), embed.isThere))
    const appearsAfterMs = (embed: Embed) => median(times.get(embed) ?? [])
    return peers.flatMap((peer) => [
      compare('bytes of script, brotli', {
        value: site.bytesOf(ours),
        unit: 'B',
        against: peer.name,
        floor: site.bytesOf(peer),
        target: EMBEDS.bytes,
      }),
      compare('first control on a phone', {
        value: appearsAfterMs(ours),
        unit: 'ms',
        against: peer.name,
        floor: appearsAfterMs(peer),
      }),
    ])
  } finally {
    await browser.close()
    await site.stop()
  }
}

async function openSite(embeds: readonly Embed[]) {
  const files = embeds.map(({ scripts }) =>
    Object.fromEntries(Object.entries(scripts).map(([path, code]) => [path, brotliCompressSync(code)])),
  )
  const answers = Object.assign({}, ...embeds.map((embed) => embed.answers))
  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const [, index = '', name = ''] = /^\/(\d+)\/(.*)$/.exec(path) ?? []
    const file = files[Number(index)]?.[name]
    if (index && name === '') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
      response.end(`<!doctype html><title>A page</title>${embeds[Number(index)]?.html}`)
    } else if (file) {
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Content-Encoding': 'br' }).end(file)
    } else {
      response.writeHead(path in answers ? 200 : 404, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(answers[path] ?? {}))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    addressOf: (embed: Embed) => `${origin}/${embeds.indexOf(embed)}/`,
    bytesOf: (embed: Embed) =>
      Object.values(files[embeds.indexOf(embed)] ?? {}).reduce((sum, { length }) => sum + length, 0),
    async stop() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** Looks as often as the page is drawn. */
const WATCH = `
  const within = (root) => [...root.querySelectorAll('*')].flatMap((element) =>
    element.shadowRoot ? within(element.shadowRoot) : [element])
  const hasControl = () => within(document).some((element) =>
    element.matches('input:not([type=hidden]), button, select') && element.getClientRects().length > 0)
  window.appeared = new Promise((resolve) => {
    const look = () => (IS_THERE ? resolve(performance.now()) : requestAnimationFrame(look))
    requestAnimationFrame(look)
  })`

async function timeToAppear(browser: Browser, address: string, isThere = 'hasControl()'): Promise<number> {
  const context = await browser.newContext({ viewport: PHONE_SCREEN })
  context.setDefaultTimeout(APPEAR_LIMIT_MS)
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await slowToAPhone(devtools)
  await page.addInitScript(WATCH.replace('IS_THERE', isThere))
  await page.goto(address, { waitUntil: 'commit' })
  const appearedMs = await page.evaluate<number>('appeared')
  await context.close()
  return appearedMs
}
