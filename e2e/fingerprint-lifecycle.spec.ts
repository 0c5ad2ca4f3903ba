// The fingerprint script over time: what it leaves on a page, how it renews its session, and pages that come back or
// come early.
import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { wholeBrowserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { inline, listenTo, markerOf, pageWith, plainTag, REGISTER, sessionsOf } from './fingerprint-pages/page.ts'
import { test } from './fingerprint-pages/stage.ts'

const MINUTE_MS = 60_000
const SCRIPT_BYTES_MAX = 1_500

test('the script is small, and the same for everyone', async ({ request, scene }) => {
  const response = await request.get(scene.device, { headers: { 'Accept-Encoding': 'br' } })
  expect(response.headers()['content-encoding']).toBe('br')
  expect(Number(response.headers()['content-length'])).toBeLessThanOrEqual(SCRIPT_BYTES_MAX)
  expect(response.headers()['set-cookie']).toBeUndefined()
  expect(await (await request.get(scene.device)).text()).toBe(await response.text())
})

test('one request, without preflight, cookie or identifier; nothing left on the page', async ({
  page,
  scene,
  context,
}) => {
  const before = inline('window.names = Object.getOwnPropertyNames(window).concat("names")')
  await page.goto(scene.serve(pageWith(before + plainTag(scene.device))))
  await expect.poll(() => markerOf(page)).toMatchObject({ state: 'ready' })

  expect(scene.asked).toHaveLength(1)
  const [asked] = scene.asked
  expect(asked).toMatchObject({ method: 'POST', url: '/v1/fingerprints/device/sessions' })
  expect(asked?.headers).toMatchObject({ 'content-type': 'text/plain;charset=UTF-8' })
  expect(asked?.headers.cookie).toBeUndefined()
  // Every name is on the public list, and nothing says where the consumer is or came from.
  const listed = readFileSync('docs/auditor/device-signals.md', 'utf8').split('The service adds')[0] ?? ''
  const names = [...listed.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name)
  expect(names).toContain('screen')
  expect(asked?.body.split('&').map((pair) => pair.split('=')[0])).toEqual(names)

  expect(await page.evaluate('Object.getOwnPropertyNames(window).filter((name) => !names.includes(name))')).toEqual([
    'service',
  ])
  expect(await page.evaluate('Object.keys(document)')).not.toContain('__deviceFingerprint')
  expect(await page.evaluate('document.querySelectorAll("script, iframe, canvas, img, style").length')).toBe(3)
  expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
  expect(await context.cookies()).toEqual([])
})

test('each function registered is called once, whenever it comes', async ({ page, scene }) => {
  await page.goto(scene.serve(pageWith(REGISTER + plainTag(scene.device))))
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  await page.evaluate(`
    var others = []
    service.deviceFingerprint = (answer) => others.push(answer)
    service.deviceFingerprint = record
    window.service = { deviceFingerprint: record }`)
  await expect.poll(() => page.evaluate('others.length')).toBe(1)
  // A task later than anything the script may have queued.
  await page.waitForTimeout(200)
  expect(await page.evaluate('[calls.length, others.length]')).toEqual([1, 1])
  expect(await page.evaluate('others')).toEqual(await page.evaluate('calls'))
  expect(scene.asked).toHaveLength(1)
})

const POLLUTED = inline('for (const name of ["value", "get", "writable"]) Object.prototype[name] = () => {}')

for (const [where, before] of [
  ['a page', ''],
  ['a page that extends Object.prototype', POLLUTED],
] as const) {
  test(`a function registered late on ${where} is called at once, not at the next look`, async ({ page, scene }) => {
    await page.clock.install()
    await page.goto(scene.serve(pageWith(before + plainTag(scene.device))))
    await expect.poll(() => markerOf(page)).toMatchObject({ state: 'ready' })
    // By now the looks are many seconds apart.
    await page.clock.pauseAt(Date.now() + 30_000)
    // Not while the page is still registering it, but right after.
    expect(await page.evaluate('service.deviceFingerprint = record; calls.length')).toBe(0)
    await page.clock.runFor(1)
    expect(await page.evaluate('calls')).toEqual([{ sessionId: sessionsOf(scene)[0]?.sessionId }])
  })
}

test('a session is renewed after half an hour, and the page hears so', async ({ page, scene }) => {
  await page.clock.install()
  await page.goto(scene.serve(pageWith(REGISTER + plainTag(scene.device))))
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  await page.clock.fastForward(29 * MINUTE_MS)
  await page.evaluate('document.__deviceFingerprint()')
  expect(scene.asked).toHaveLength(1)

  await page.clock.fastForward(MINUTE_MS)
  await expect.poll(() => page.evaluate('calls.length')).toBe(2)
  const [first, second] = sessionsOf(scene)
  expect(await page.evaluate('calls')).toEqual([{ sessionId: first?.sessionId }, { sessionId: second?.sessionId }])
  expect(await markerOf(page)).toEqual({ state: 'ready', sessionId: second?.sessionId })
  // Never back to `loading`: the held session is good while the next is on its way.
  expect(await page.evaluate('states')).toEqual(['loading', 'ready', 'ready'])
})

test('another person on the same page gets a session of their own', async ({ page, scene }) => {
  await page.goto(scene.serve(pageWith(REGISTER + plainTag(scene.device))))
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  await page.evaluate('document.__deviceFingerprint("")')
  await expect.poll(() => page.evaluate('calls.length')).toBe(2)
  const [first, second] = sessionsOf(scene)
  expect(second?.sessionId).not.toBe(first?.sessionId)
  expect(await markerOf(page)).toEqual({ state: 'ready', sessionId: second?.sessionId })
  // Between the two there is none to be used.
  expect(await page.evaluate('states')).toEqual(['loading', 'ready', 'loading', 'ready'])
})

test('a pinned copy with integrity works, also where a policy insists on integrity', async ({ page, scene }) => {
  const heard = listenTo(page)
  const response = await page.request.get(scene.device)
  const pinned = scene.device.replace('/v1/fingerprints/device', response.headers()['content-location'] ?? '')
  const tag = `<script crossorigin integrity="${response.headers()['x-integrity']}" src="${pinned}"></script>`
  await page.goto(scene.serve(pageWith(REGISTER + tag), { 'Integrity-Policy': 'blocked-destinations=(script)' }))
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  expect(await page.evaluate('calls')).toEqual([{ sessionId: sessionsOf(scene)[0]?.sessionId }])
  expect(scene.asked[0]?.url).toBe('/v1/fingerprints/device/sessions')
  expect(heard).toEqual([])
})

test('a sandboxed frame, which has no origin, gets its own session', async ({ page, scene }) => {
  const inner = scene.serve(pageWith(REGISTER + plainTag(scene.device)))
  await page.goto(scene.serve(`<!doctype html><iframe sandbox="allow-scripts" src="${inner}"></iframe>`))
  const frame = page.frames()[1]
  await expect.poll(() => frame?.evaluate('window.calls && calls.length')).toBe(1)
  expect(scene.asked[0]?.headers.origin).toBe('null')
  expect(sessionsOf(scene)[0]?.profiled).toBe(true)
})

// Every other test runs in a private window: that is what Playwright opens.
test('an ordinary window is no different from a private one', async ({ playwright, browserName, scene }) => {
  const context = await playwright[browserName].launchPersistentContext('', wholeBrowserLaunchOptions())
  const page = await context.newPage()
  await page.goto(scene.serve(pageWith(REGISTER + plainTag(scene.device))))
  for (const visit of [0, 1]) {
    await expect.poll(() => page.evaluate('calls.length')).toBe(1)
    expect(await page.evaluate('calls')).toEqual([{ sessionId: sessionsOf(scene)[visit]?.sessionId }])
    await page.reload()
  }
  expect(await context.cookies()).toEqual([])
  await context.close()
})

test('a page from the back/forward cache keeps its session for half an hour, then renews it', async ({
  playwright,
  browserName,
  scene,
}) => {
  // A headless shell has no such cache, and Playwright switches a whole browser's off.
  const browser = await playwright[browserName].launch({
    ...wholeBrowserLaunchOptions(),
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  const page = await browser.newPage()
  // The page's own idea of the time, which survives in the cache as the rest of it does.
  const time = inline('var ahead = 0, now = Date.now; Date.now = () => now() + ahead')
  const shown = inline('var restored = 0; addEventListener("pageshow", (event) => { restored += event.persisted })')
  const first = scene.serve(pageWith(time + shown + REGISTER + plainTag(scene.device)))
  await page.goto(first)
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)

  await leaveAndReturn({ times: 1 })
  expect(await markerOf(page)).toEqual({ state: 'ready', sessionId: sessionsOf(scene)[0]?.sessionId })
  expect(scene.asked).toHaveLength(1)

  await page.evaluate(`ahead = ${31 * MINUTE_MS}`)
  await leaveAndReturn({ times: 2 })
  await expect.poll(() => page.evaluate('calls.length')).toBe(2)
  expect(await markerOf(page)).toEqual({ state: 'ready', sessionId: sessionsOf(scene)[1]?.sessionId })
  await browser.close()

  // Not `page.goBack`, which waits for a load that a page from the cache never has.
  async function leaveAndReturn({ times }: { times: number }) {
    await page.goto(scene.serve('<!doctype html><title>Elsewhere</title>'))
    await page.evaluate('void setTimeout(() => history.back())')
    await expect(async () => expect(await page.evaluate('window.restored')).toBe(times)).toPass()
  }
})

// Browsers that are driven do not prerender, so the page plays the part: hidden while it is rendered ahead of time,
// then shown.
test('a page that is rendered ahead of time opens no session until a person sees it', async ({ page, scene }) => {
  const early = inline(`var early = true
    for (const name of ['prerendering', 'hidden']) Object.defineProperty(document, name, { get: () => early })`)
  await page.goto(scene.serve(pageWith(early + REGISTER + plainTag(scene.device))))
  await page.waitForTimeout(500)
  expect(await markerOf(page)).toEqual({ state: 'loading', sessionId: '' })
  expect(scene.asked).toEqual([])

  await page.evaluate('early = false; document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))')
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  expect(scene.asked).toHaveLength(1)
})

for (const [how, touch] of [
  ['presses', (page: Page) => page.mouse.click(5, 5)],
  ['types', (page: Page) => page.keyboard.press('Tab')],
  ['uses assistive technology', (page: Page) => page.evaluate(() => document.body.click())],
] as const)
  test(`set to wait for the first touch, it sends nothing until a person ${how}`, async ({ page, scene }) => {
    const tag = `<script nonce="n" data-start="touch" src="${scene.device}"></script>`
    await page.goto(scene.serve(pageWith(REGISTER + tag)))
    // Other starts: a second copy, and the page shown again.
    await page.evaluate('document.__deviceFingerprint(); dispatchEvent(new Event("pageshow"))')
    expect(await markerOf(page)).toEqual({ state: 'loading', sessionId: '' })
    expect(scene.asked).toEqual([])
    await touch(page)
    await expect.poll(() => page.evaluate('calls.length')).toBe(1)
    await touch(page)
    expect(scene.asked).toHaveLength(1)
  })
