// The fingerprint script when the service cannot be reached: bounded tries, then silence for the page and a state that
// says why.
import { expect, type Page, type Request } from '@playwright/test'
import { inline, markerOf, pageWith, plainTag, REGISTER, sessionsOf } from './fingerprint-pages/page.ts'
import type { Case, Fault } from './fingerprint-pages/servers.ts'
import { test } from './fingerprint-pages/stage.ts'

const TRIES_MAX = 7

/** If the browser tries again by itself, `asked` and `profiled` may be its own requests. */
type Recovery = { name: string; faults: Fault[]; asked?: string[]; profiled?: boolean | null }

const POST = 'POST /v1/fingerprints/device/sessions'
const TAG = 'GET /v1/fingerprints/device?m=1'

const recoveries: Recovery[] = [
  { name: '503 once', faults: [{ status: 503 }, 'pass'], asked: [POST, POST] },
  { name: '429 once', faults: [{ status: 429 }, 'pass'], asked: [POST, POST] },
  {
    name: 'another page once, as a hotel network answers',
    faults: [{ answer: '<h1>Welcome</h1>' }, 'pass'],
    asked: [POST, POST],
  },
  { name: 'a connection cut off', faults: ['reset', 'pass'] },
  { name: 'three connections cut off', faults: ['reset', 'reset', 'reset', 'pass'], profiled: null },
  { name: 'an answer after two and a half seconds', faults: [{ delayMs: 2_500 }], asked: [POST] },
  {
    name: 'a POST that never works behind a tag that does',
    faults: [{ status: 500 }, { status: 500 }, 'pass'],
    asked: [POST, POST, TAG],
    profiled: false,
  },
]

for (const { name, faults, asked, profiled = true } of recoveries) {
  test(`${name} ends well`, async ({ page, scene }) => {
    scene.faults = faults
    await open(page, scene)
    await expect.poll(() => page.evaluate('calls.length')).toBe(1)
    const [session] = sessionsOf(scene)
    expect(await page.evaluate('calls')).toEqual([{ sessionId: session?.sessionId }])
    if (profiled !== null) expect(session?.profiled).toBe(profiled)
    if (asked) expect(requestsOf(scene)).toEqual(asked)
    expect(await page.evaluate('states')).toEqual(['loading', 'ready'])
  })
}

test('a service that keeps failing is asked seven times, then the state is timeout and the page hears nothing', async ({
  page,
  scene,
}) => {
  scene.faults = [{ status: 503 }]
  await page.clock.install()
  await open(page, scene)
  await passTimeUntil(page, 'timeout')
  expect(requestsOf(scene)).toEqual([POST, POST, TAG, POST, TAG, POST, TAG])
  await page.clock.fastForward(600_000)
  expect(scene.asked).toHaveLength(TRIES_MAX)
  expect(await page.evaluate('calls')).toEqual([])
  expect(await page.evaluate('states')).toEqual(['loading', 'timeout'])
})

test('a service that never answers is given up too', async ({ page, scene }) => {
  scene.faults = ['hang']
  await page.clock.install()
  await open(page, scene)
  await passTimeUntil(page, 'timeout')
  expect(scene.asked).toHaveLength(TRIES_MAX)
  expect(await page.evaluate('calls')).toEqual([])
})

test('a refusal is final: one request, the state is blocked', async ({ page, scene }) => {
  scene.faults = [{ status: 403 }]
  await open(page, scene)
  await expect.poll(() => markerOf(page)).toEqual({ state: 'blocked', sessionId: '' })
  expect(requestsOf(scene)).toEqual([POST])
  expect(await page.evaluate('calls')).toEqual([])
})

test('after giving up, asking again or a second copy of the script starts anew', async ({ page, scene }) => {
  scene.faults = [{ status: 403 }]
  await open(page, scene)
  await expect.poll(() => markerOf(page)).toMatchObject({ state: 'blocked' })
  await page.evaluate('document.__deviceFingerprint()')
  await expect.poll(() => page.evaluate('states.length')).toBe(4)
  expect(scene.asked).toHaveLength(2)

  scene.faults = []
  await page.evaluate(
    `document.head.append(Object.assign(document.createElement('script'), { src: '${scene.device}' }))`,
  )
  await expect.poll(() => page.evaluate('calls')).toEqual([{ sessionId: expect.stringMatching(/^[\w-]{32}$/) }])
  expect(await page.evaluate('states')).toEqual(['loading', 'blocked', 'loading', 'blocked', 'loading', 'ready'])
})

test('a policy that lets neither way through is reported as blocked at once', async ({ page, scene }) => {
  await page.goto(
    scene.serve(pageWith(REGISTER + plainTag(scene.device)), {
      'Content-Security-Policy': `default-src 'none'; script-src 'nonce-n'; require-trusted-types-for 'script'`,
    }),
  )
  await expect.poll(() => markerOf(page)).toEqual({ state: 'blocked', sessionId: '' })
  expect(scene.asked).toEqual([])
  expect(await page.evaluate('calls')).toEqual([])
})

test('a transport that the page has broken so that it never reports is left behind', async ({ page, scene }) => {
  const silent = inline('XMLHttpRequest.prototype.send = function () {}')
  await page.clock.install()
  await page.goto(scene.serve(pageWith(REGISTER + silent + plainTag(scene.device))))
  await passTimeUntil(page, 'ready')
  expect(requestsOf(scene)).toEqual([TAG])
})

test('an answer that comes after its request was given up ends the asking', async ({ page, scene }) => {
  scene.faults = [{ status: 500 }, { status: 500 }, { delayMs: 500 }, 'pass']
  await page.clock.install()
  await open(page, scene)
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(async () => {
    await page.clock.fastForward(1_000)
    expect(requestsOf(scene).at(-1)).toBe(TAG)
  }).toPass({ intervals: [100] })
  // The tag is given up, and with the clock standing still the next try cannot begin before the answer is there.
  await page.clock.fastForward(8_000)
  await expect.poll(() => markerOf(page)).toMatchObject({ state: 'ready' })
  await page.clock.fastForward(60_000)
  expect(await page.evaluate('calls.length')).toBe(1)
  expect(scene.asked).toHaveLength(3)
})

test('of two answers to two requests only the first counts', async ({ page, scene }) => {
  scene.faults = [{ status: 500 }, { status: 500 }, { delayMs: 2_000 }, 'pass']
  await page.clock.install()
  await open(page, scene)
  await expect(async () => {
    await page.clock.fastForward(10_000)
    expect(await markerOf(page)).toMatchObject({ state: 'ready' })
  }).toPass({ intervals: [100] })
  const held = await markerOf(page)
  await expect.poll(() => sessionsOf(scene).length).toBe(2)
  await page.clock.fastForward(1_000)
  expect(await markerOf(page)).toEqual(held)
  expect(await page.evaluate('calls')).toEqual([{ sessionId: held.sessionId }])
})

test('a network that carries nothing is blocked, and its return is enough', async ({ page, scene }) => {
  scene.faults = ['reset']
  await open(page, scene)
  await expect.poll(() => markerOf(page)).toEqual({ state: 'blocked', sessionId: '' })
  expect(await page.evaluate('calls')).toEqual([])
  scene.faults = []
  await page.evaluate('dispatchEvent(new Event("online"))')
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
})

test('a session that cannot be renewed serves until it is nearly over, and is renewed when the network returns', async ({
  page,
  scene,
  context,
}) => {
  await page.clock.install()
  await open(page, scene)
  await expect.poll(() => page.evaluate('calls.length')).toBe(1)
  const held = await markerOf(page)
  await context.setOffline(true)
  await passMinutes(page, 54)
  expect(await markerOf(page)).toEqual(held)
  await passMinutes(page, 12)
  expect(await markerOf(page)).toMatchObject({ state: 'blocked' })
  expect(await page.evaluate('states')).toEqual(['loading', 'ready', 'loading', 'blocked'])

  await context.setOffline(false)
  await expect.poll(() => page.evaluate('calls.length')).toBe(2)
  expect(await markerOf(page)).toEqual({ state: 'ready', sessionId: sessionsOf(scene)[1]?.sessionId })
})

async function open(page: Page, scene: Case): Promise<void> {
  await page.goto(scene.serve(pageWith(REGISTER + plainTag(scene.device))))
}

/** Lets the page's clock run ahead while the network takes its real time. */
async function passTimeUntil(page: Page, state: string): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(20_000)
    expect(await markerOf(page)).toMatchObject({ state })
  }).toPass({ timeout: 30_000, intervals: [100] })
}

/**
 * Minute by minute, each until the browser has refused what was tried in it: a request still open would be timed out by
 * the page's clock.
 */
async function passMinutes(page: Page, minutes: number): Promise<void> {
  const open = new Set<Request>()
  page.on('request', (request) => open.add(request))
  page.on('requestfailed', (request) => open.delete(request))
  for (let minute = 0; minute < minutes; minute++) {
    await page.clock.fastForward(60_000)
    do await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))')
    while (open.size > 0)
  }
}

function requestsOf({ asked }: Case): string[] {
  return asked.map(({ method, url }) => `${method} ${url.replace(/&.*/, '')}`)
}
