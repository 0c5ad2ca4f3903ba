// @vitest-environment happy-dom
// Requests that come back late, twice or never, and what they may still do.
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSession } from '../create-session.ts'
import type { Prefill } from '../fields/answers.ts'
import type { Flow } from '../flow/flow.ts'
import { NOTICE_VERSION } from '../screens/notice.tsx'
import type { Session } from '../session.ts'

const meta = { test: false }
const challenge = { challengeId: 'c1', expiresInSeconds: 300, attemptsRemaining: 3, textsRemaining: 2 }
const challenged = {
  meta,
  data: { status: 'authentication-required', challengeType: 'otp', creditReportId: 'r1', challenge },
}
const blocked = { meta, data: { status: 'blocked', creditReportId: 'r1' } }
const none = { meta, data: { status: 'none' } }
const today = '2026-11-15'

type Asked = {
  method: string
  tab: string | null
  path: string
  key: string | null
  start: string | null
  body: { [name: string]: unknown }
  answer: (body: unknown, status?: number) => void
  /** Answers with what is not the proxy's, or not meant for this request. */
  garble: (text: string, status?: number) => void
  cut: () => void
}

/** As the proxy does: an answer carries the nonce of its request. */
function echo(url: URL, value: unknown): unknown {
  const nonce = url.searchParams.get('nonce')
  return nonce && typeof value === 'object' && value && 'meta' in value
    ? { ...value, meta: { ...Object(value.meta), nonce } }
    : value
}

type Sent = { method?: string; headers?: { [name: string]: string }; body?: Blob }

let asked: Asked[] = []
/** What every `GET /current` meets instead of the test. */
let failing: ((request: Asked) => void) | null = null
let failures = 0
let session: Session
const sessionIdOf = (sessionId: string) =>
  Object.defineProperty(document, '__deviceFingerprint', {
    value: Object.assign(() => undefined, { state: 'ready', sessionId }),
    configurable: true,
  })

beforeEach(async () => {
  asked = []
  failures = 0
  vi.stubGlobal('fetch', async (url: URL, { method, headers = {}, body }: Sent) => {
    const text = await body?.text()
    return new Promise<Response>((resolve, reject) => {
      const request: Asked = {
        method: method ?? 'GET',
        tab: headers['X-Credit-Report-Tab'] ?? null,
        path: url.pathname,
        key: headers['Idempotency-Key'] ?? null,
        start: headers['X-Credit-Report-Start'] ?? null,
        body: text ? JSON.parse(text) : {},
        answer: (value, status = 200) => resolve(new Response(JSON.stringify(echo(url, value)), { status })),
        garble: (text, status = 200) => resolve(new Response(text, { status })),
        cut: () => reject(new TypeError('cut')),
      }
      if (failing && request.path.endsWith('/current')) {
        failures++
        failing(request)
      } else asked.push(request)
    })
  })
  sessionIdOf('session-1')
  session = start()
  session.begin()
  ;(await next('/credit-reports/current')).answer(none)
})
afterEach(() => {
  session.end()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

function start(
  change: { start?: string; prefill?: Prefill; sendsSteps?: boolean; keepsDrafts?: boolean } = {},
): Session {
  return createSession({
    endpoint: '/credit-reports',
    fingerprintSrc: null,
    pageNonce: '',
    scriptSrc: '',
    historyMonths: 0,
    isMobileRequired: true,
    mobileCountries: [],
    prefill: {},
    isLocked: false,
    start: null,
    sendsSteps: true,
    keepsDrafts: true,
    consent: () => ({ locale: 'en-GB', ticked: false }),
    loadWords: async () => undefined,
    onFault: () => undefined,
    ...change,
  })
}

/** The next request to a path, once it is there. */
async function next(path: string): Promise<Asked> {
  await expect.poll(() => asked.map((request) => request.path)).toContain(path)
  const index = asked.findIndex((request) => request.path === path)
  const [request] = asked.splice(index, 1)
  if (!request) throw new Error('gone')
  return request
}

const screen = (): Flow['screen'] => session.flow.value.screen
const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

async function submit(change = {}): Promise<Asked> {
  const sam = { firstName: 'Sam', lastName: 'Patel', day: '27', month: '3', year: '1985', mobileNumber: '07700900123' }
  const person = { ...sam, ...change }
  const home = { buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP' }
  session.send({ type: 'details', typed: person, today })
  session.send({ type: 'address', typed: home, today })
  session.send({ type: 'submit', agreed: true, shown: 'words' })
  return next('/credit-reports')
}

describe('before the server has said how this browser’s check stands', () => {
  const CURRENT = '/credit-reports/current'
  const complete = { meta, data: { status: 'complete', creditReportId: 'r1', creditReport: {} } }
  const posts = () => asked.filter(({ path, method }) => path === '/credit-reports' && method === 'POST')
  const ways: [string, (request: Asked) => void][] = [
    ['502', (request) => request.garble('<h1>Bad gateway</h1>', 502)],
    ['a web page', (request) => request.garble('<!doctype html><title>Free Wi-Fi</title>')],
    ['a cut line', (request) => request.cut()],
    ['an answer to another request', (request) => request.garble(JSON.stringify(none))],
    ['403 of something in front', (request) => request.garble('<h1>Sign in to the network</h1>', 403)],
  ]

  // The waits between tries are too long for a test; the time that an answer has is not shortened.
  const TIMEOUTS_MS = [10_000, 15_000, 30_000]
  const realSetTimeout = setTimeout
  beforeEach(() => {
    vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...args: []) =>
      realSetTimeout(run, ms < 600 || TIMEOUTS_MS.includes(ms) ? ms : 30, ...args),
    )
  })
  afterEach(() => {
    failing = null
  })

  /** The page anew, in the same tab, while every `current` fails. */
  async function load(fail: (request: Asked) => void): Promise<void> {
    session.end()
    asked = []
    failing = fail
    session = start()
    session.begin()
    await expect.poll(() => failures).toBeGreaterThan(5)
  }

  const press = () => {
    const person = {
      firstName: 'Sam',
      lastName: 'Patel',
      day: '27',
      month: '3',
      year: '1985',
      mobileNumber: '07700900123',
    }
    session.send({ type: 'details', typed: person, today })
    session.send({ type: 'address', typed: { buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP' }, today })
    session.send({ type: 'submit', agreed: true, shown: 'words' })
  }

  test('"Agree" asks first, and begins nothing until that is answered', async () => {
    await load((request) => request.cut())
    expect(screen().name).toBe('details')
    failing = null
    press()
    const current = await next(CURRENT)
    await settled()
    expect([screen().name, posts()]).toEqual(['sending', []])
    current.answer(none)
    await next('/credit-reports')
  })

  test('403 of something in front ends the form, which comes back by itself', async () => {
    await load((request) => request.garble('<h1>Sign in to the network</h1>', 403))
    expect(screen()).toMatchObject({ name: 'ended', why: 'unavailable' })
    failing = null
    ;(await next(CURRENT)).answer(none)
    await expect.poll(() => screen().name).toBe('details')
  })

  test.each(ways.slice(0, 4))(
    '%s at "Agree" is no answer: nothing is begun, and it can be tried again',
    async (_name, fail) => {
      await load(fail)
      press()
      await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'unreached' })
      expect(posts()).toEqual([])
      failing = null
      session.send({ type: 'again' })
      ;(await next(CURRENT)).answer(none)
      ;(await next('/credit-reports')).answer(challenged)
      await expect.poll(() => screen().name).toBe('code')
    },
  )

  test('a check in progress that only comes to light at "Agree" is shown, and none begun', async () => {
    await load((request) => request.cut())
    session.touch()
    failing = null
    press()
    ;(await next(CURRENT)).answer(challenged)
    await expect.poll(() => screen().name).toBe('code')
    expect(posts()).toEqual([])
    session.send({ type: 'change-details' })
    expect(screen().name).toBe('answers')
  })

  test('one that came to light while the form was filled in is shown at "Agree"', async () => {
    session.end()
    session = start()
    session.begin()
    const first = await next(CURRENT)
    session.touch()
    first.answer(complete)
    await settled()
    expect(screen().name).toBe('details')
    press()
    ;(await next(CURRENT)).answer(complete)
    await expect.poll(() => screen().name).toBe('report')
    expect(posts()).toEqual([])
  })

  describe('in a tab that has begun a check', () => {
    beforeEach(async () => {
      ;(await submit()).answer(challenged)
      await expect.poll(() => screen().name).toBe('code')
    })

    test.each(ways)(
      '%s shows that it cannot be reached, never an empty form, and asks again by itself',
      async (_name, fail) => {
        await load(fail)
        expect(screen()).toMatchObject({ name: 'trouble', why: 'unreached' })
        failing = null
        ;(await next(CURRENT)).answer(complete)
        await expect.poll(() => screen().name).toBe('report')
      },
    )

    test('there is no form while the first answer is awaited', async () => {
      session.end()
      session = start()
      expect(screen().name).toBe('sending')
      session.begin()
      ;(await next(CURRENT)).answer(none)
      await expect.poll(() => screen().name).toBe('details')
      session.end()
      session = start()
      expect(screen().name).toBe('details')
    })

    test('coming back to the page, or to the line, asks at once', async () => {
      vi.stubGlobal('setTimeout', realSetTimeout)
      session.end()
      failing = (request) => request.garble('', 404)
      session = start()
      session.begin()
      await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'unreached' })
      failing = null
      session.sync()
      expect(await next(CURRENT)).toMatchObject({ method: 'GET' })
    })

    test('429 keeps its own screen, and is asked again when its time is over', async () => {
      session.end()
      session = start()
      session.begin()
      ;(await next(CURRENT)).answer({ code: 'rate-limited', message: 'x' }, 429)
      await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'busy' })
    })

    test('503 in our own words keeps its own screen', async () => {
      await load((request) => request.answer({ code: 'unavailable', message: 'x' }, 503))
      expect(screen()).toMatchObject({ name: 'trouble', why: 'broken' })
    })

    test('a check that was forgotten is not awaited', async () => {
      session.send({ type: 'start-over' })
      await settled()
      session.end()
      session = start()
      expect(screen().name).toBe('details')
    })
  })
})

describe('steps of the form', () => {
  const STEPS = '/credit-reports/steps'
  const steps = () => asked.filter(({ path }) => path === STEPS).map(({ body, tab, key }) => ({ ...body, tab, key }))

  async function fillIn(takesSteps: boolean, sendsSteps = true): Promise<void> {
    session.end()
    session = start({ sendsSteps })
    session.begin()
    ;(await next('/credit-reports/current')).answer({ ...none, meta: { ...meta, ...(takesSteps && { takesSteps }) } })
    await settled()
    session.send({ type: 'details', typed: { firstName: 'Sam' }, today })
    ;(await submit()).cut()
    await settled()
  }

  test('each is sent once: its name and seconds, and nothing of this browser', async () => {
    await fillIn(true)
    const none = { seconds: 0, tab: null, key: null }
    expect(steps()).toEqual(['details', 'address', 'answers', 'sending'].map((step) => ({ step, ...none })))
  })

  test('none is sent to a server that does not take them, or where the page says `steps="off"`', async () => {
    await fillIn(false)
    expect(steps()).toEqual([])
    await fillIn(true, false)
    expect(steps()).toEqual([])
  })
})

test('what was shown goes with the details: language, version, and the hash of every word', async () => {
  const { body } = await submit()
  expect(body).toMatchObject({
    consent: {
      locale: 'en-GB',
      ticked: false,
      notice: NOTICE_VERSION,
      shown: createHash('sha256').update('words').digest('hex'),
    },
  })
})

test('what the lender knows of the person is there at once, its addresses when the chunk is loaded', async () => {
  session.end()
  session = start({ prefill: { firstName: 'Ada', addresses: [{ postcode: 'LS1 4AP', movedIn: '2019-05' }] } })
  expect(session.flow.value.answers).toMatchObject({ person: { firstName: 'Ada' }, addresses: [] })
  session.send({ type: 'details', typed: { firstName: 'Sam' }, today })
  session.begin()
  await expect.poll(() => session.flow.value.answers.addresses).toHaveLength(1)
  expect(session.flow.value.answers).toMatchObject({
    person: { firstName: 'Sam' },
    addresses: [{ postcode: 'LS1 4AP', movedMonth: '5', movedYear: '2019' }],
  })
})

test('an answer to a check that was reset is not shown', async () => {
  const request = await submit()
  session.send({ type: 'reset' })
  request.answer(blocked)
  await settled()
  expect(screen().name).toBe('details')
})

test('another person, or the same one with a corrected name, gets a device session of their own', async () => {
  const marker = Object.assign(vi.fn(), { state: 'ready', sessionId: 'session-1' })
  Object.defineProperty(document, '__deviceFingerprint', { value: marker, configurable: true })
  await submit()
  session.send({ type: 'reset' })
  await submit({ firstName: 'Samira' })
  expect(marker).not.toHaveBeenCalled()
  session.send({ type: 'reset' })
  await submit({ lastName: 'Patell' })
  expect(marker.mock.calls).toEqual([['']])
  session.send({ type: 'reset' })
  await submit({ lastName: 'Patell', day: '28' })
  expect(marker.mock.calls).toEqual([[''], ['']])
})

test('of two checks, only the newer one’s answer counts', async () => {
  const first = await submit()
  session.send({ type: 'reset' })
  const second = await submit({ firstName: 'Samira' })
  first.answer(blocked)
  await settled()
  expect(screen().name).toBe('sending')
  second.answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
})

test('what was never answered is sent again under the same key, even with a renewed session', async () => {
  const first = await submit()
  first.cut()
  sessionIdOf('session-2')
  const second = await next('/credit-reports')
  second.cut()
  const third = await next('/credit-reports')
  third.cut()
  await expect.poll(() => screen().name).toBe('trouble')
  session.send({ type: 'again' })
  const fourth = await next('/credit-reports')
  expect(fourth.key).toBe(first.key)
  expect(fourth.body).toEqual({ ...first.body, sessionId: 'session-2' })
})

test('details changed and changed back still belong to what was never answered', async () => {
  const first = await submit()
  first.answer({ code: 'unavailable', message: '' }, 503)
  ;(await next('/credit-reports')).answer({ code: 'unavailable', message: '' }, 503)
  ;(await next('/credit-reports')).answer({ code: 'unavailable', message: '' }, 503)
  await expect.poll(() => screen().name).toBe('trouble')
  session.send({ type: 'reset' })
  const second = await submit({ firstName: 'S4m' })
  second.answer({ code: 'validation-error', message: 'firstName: must be a name' }, 400)
  await expect.poll(() => screen().name).toBe('details')
  expect((await submit()).key).toBe(first.key)
})

test('a key that the server has no more use for is given up', async () => {
  const first = await submit()
  first.answer({ code: 'validation-error', message: 'Idempotency-Key: begin again with a new key' }, 400)
  await expect.poll(() => screen().name).toBe('trouble')
  session.send({ type: 'again' })
  expect((await next('/credit-reports')).key).not.toBe(first.key)
})

test('a report that was delivered is not asked for under its key again', async () => {
  const first = await submit()
  first.answer(blocked)
  await expect.poll(() => screen().name).toBe('ended')
  session.send({ type: 'reset' })
  const second = await submit()
  expect(second.key).not.toBe(first.key)
})

test('a judgement that comes after the number was changed belongs to the old code', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  session.send({ type: 'code', code: '000000' })
  const judged = await next('/credit-reports/r1/otp-challenge')
  session.send({ type: 'reset' })
  judged.answer({ meta, data: { status: 'failed', creditReportId: 'r1' } })
  await settled()
  expect(screen().name).toBe('details')
})

test('a resend whose answer was lost is repeated under the same key', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  session.send({ type: 'resend' })
  const first = await next('/credit-reports/r1/resend-sms')
  first.cut()
  const second = await next('/credit-reports/r1/resend-sms')
  expect(second.key).toBe(first.key)
  second.answer({
    meta,
    data: { remainingSmsCount: 1, smsSentCount: 2, challenge: { ...challenge, textsRemaining: 1 } },
  })
  await expect.poll(() => screen()).toMatchObject({ notice: { words: 'resent' } })
  session.send({ type: 'resend' })
  expect((await next('/credit-reports/r1/resend-sms')).key).not.toBe(first.key)
})

test('coming back to the page many times asks once', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  for (let time = 0; time < 5; time++) session.sync()
  await settled()
  expect(asked.filter(({ path }) => path.endsWith('/current'))).toHaveLength(1)
})

test('nothing is asked once the element is gone', async () => {
  ;(await submit()).answer(challenged)
  await expect.poll(() => screen().name).toBe('code')
  session.end()
  session.send({ type: 'code', code: '123456' })
  await settled()
  expect(asked).toEqual([])
})

describe('a report that was closed', () => {
  const complete = { meta, data: { status: 'complete', creditReportId: 'r1', creditReport: {} } }
  const gone = { meta, data: { status: 'complete', creditReportId: 'r1', closed: true } }

  async function closeOffline(): Promise<void> {
    ;(await submit()).answer(complete)
    await vi.waitFor(() => expect(screen().name).toBe('report'), 60_000)
    session.send({ type: 'close' })
    ;(await next('/credit-reports/current')).cut()
    await vi.waitFor(() => expect(screen()).toMatchObject({ name: 'closed', state: 'unreached' }), 60_000)
  }

  test('with the line down is closed again when it is back', async () => {
    await closeOffline()
    session.sync()
    ;(await next('/credit-reports/current')).answer(gone)
    await vi.waitFor(() => expect(screen()).toMatchObject({ name: 'closed', state: 'closed' }), 60_000)
  })

  test('with the line down is closed at the next start, before anything is asked or shown', async () => {
    await closeOffline()
    session.end()
    session = start()
    session.begin()
    await vi.waitFor(() => expect(screen()).toMatchObject({ name: 'closed', creditReportId: 'r1' }), 60_000)
    const first = await next('/credit-reports/current')
    expect([first.method, asked]).toEqual(['DELETE', []])
    first.answer(gone)
    const second = await next('/credit-reports/current')
    expect(second.method).toBe('GET')
    second.answer(gone)
    await vi.waitFor(() => expect(screen()).toMatchObject({ state: 'closed' }), 60_000)
  })
})

test('a report that is locked is asked for with another secret than before', async () => {
  ;(await submit()).answer({ meta, data: { status: 'complete', creditReportId: 'r1', creditReport: {} } })
  await vi.waitFor(() => expect(screen().name).toBe('report'), 60_000)
  const before = sessionStorage.getItem('credit-report-widget:/credit-reports:tab')
  session.send({ type: 'idle' })
  const request = await next('/credit-reports/current')
  expect(before).toMatch(/^[0-9a-f]{32}$/)
  expect([request.tab === null, request.tab === before]).toEqual([false, false])
})

describe('with a start of the lender’s server', () => {
  const known = { lastName: 'Ash', mobileNumber: '+447700900999' }
  const withKnown = { ...none, meta: { ...none.meta, known } }
  async function begin(): Promise<Asked> {
    session.end()
    session = start({ start: 'sealed' })
    session.begin()
    return next('/credit-reports/current')
  }

  test('its details come from the server, which gets the start with every request', async () => {
    expect(session.flow.value.start).toBe('none')
    const request = await begin()
    expect([request.start, session.flow.value.start]).toEqual(['sealed', 'awaited'])
    request.answer(withKnown)
    await expect.poll(() => session.flow.value.start).toBe('here')
    expect(session.flow.value.fixed.person).toEqual(known)
    expect(await submit(known)).toMatchObject({ start: 'sealed', body: known })
  })

  test('without them there is no form: the fault is shown, and the next try asks again', async () => {
    ;(await begin()).answer({ code: 'start-refused', message: 'used' }, 410)
    await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'session' })
    session.send({ type: 'again' })
    expect(screen().name).toBe('details')
    session.begin()
    ;(await next('/credit-reports/current')).answer(withKnown)
    await expect.poll(() => session.flow.value.start).toBe('here')
  })
})

describe('drafts', () => {
  const DRAFT = '/credit-reports/draft'
  const CURRENT = '/credit-reports/current'
  const draft = {
    id: 'd1',
    step: 'answers',
    index: 0,
    person: { firstName: 'Sam', lastName: 'Patel', day: '27', month: '3', year: '1985', mobileNumber: '07700900123' },
    addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP' }],
    abroadBefore: false,
    about: '',
  }
  const kept = () => asked.filter(({ path }) => path === DRAFT)
  const sent = () => asked.filter(({ path, method }) => path === '/credit-reports' && method === 'POST')
  const withDraft = (value: unknown, data: object = none.data) => ({ meta: { ...meta, draft: value }, data })

  /** The page anew, in the same tab. */
  async function load(answer: unknown, change: Parameters<typeof start>[0] = {}): Promise<void> {
    session.end()
    session = start(change)
    session.begin()
    ;(await next(CURRENT)).answer(answer)
    await settled()
  }

  test('a step that was completed is kept, with the tab’s secret; an untouched form is not', async () => {
    await load(withDraft(null))
    expect(kept()).toEqual([])
    session.send({ type: 'details', typed: draft.person, today })
    await settled()
    expect(kept()).toMatchObject([{ method: 'POST', tab: expect.stringMatching(/^[0-9a-f]{32}$/) }])
    expect(kept()[0]?.body).toMatchObject({ step: 'address', index: 0, person: draft.person, addresses: [] })
    expect(Object.keys(kept()[0]?.body ?? {})).not.toContain('consent')
  })

  test.each([
    ['a server that keeps none', none, {}],
    ['a page that says `drafts="off"`', withDraft(null), { keepsDrafts: false }],
  ])('nothing is sent to %s', async (_who, answer, change) => {
    await load(answer, change)
    session.send({ type: 'details', typed: draft.person, today })
    await settled()
    expect(kept()).toEqual([])
  })

  test('what comes back is shown and not sent again; "Start again" drops it', async () => {
    await load(withDraft(draft))
    expect(screen().name).toBe('answers')
    expect(kept()).toEqual([])
    session.send({ type: 'start-again' })
    await settled()
    expect(kept()).toMatchObject([{ method: 'DELETE', body: {} }])
  })

  test('what is about another person than the page knows is dropped, unseen', async () => {
    await load(withDraft({ ...draft, about: 'Byron 1990 12 10' }), {
      prefill: { lastName: 'Patel', dateOfBirth: '1985-03-27' },
    })
    expect(screen().name).toBe('details')
    expect(kept()).toMatchObject([{ method: 'DELETE' }])
  })

  test('what was typed in an input is kept when the page is hidden, and once', async () => {
    await load(withDraft(null))
    const root = document.createElement('div').attachShadow({ mode: 'open' })
    const ended = new AbortController()
    session.check.value?.attend(root, ended.signal)
    root.innerHTML = '<form><input name="firstName" value="Sa"><input name="consent" value="on"></form>'
    for (const type of ['pagehide', 'pagehide']) window.dispatchEvent(new Event(type))
    await settled()
    expect(kept().map(({ body }) => body.person)).toEqual([{ firstName: 'Sa' }])
    ended.abort()
  })

  test('with an open code it fills the form behind it', async () => {
    await load(withDraft(draft, challenged.data))
    expect(screen().name).toBe('code')
    expect(session.flow.value.answers.person).toEqual(draft.person)
  })

  describe('of a page that is reloaded while the details are checked', () => {
    /** As far as the request, which is never answered. */
    async function leave(change: Parameters<typeof start>[0] = {}): Promise<{ first: Asked; saved: unknown }> {
      await load(withDraft(null), change)
      session.send({ type: 'details', typed: draft.person, today })
      session.send({ type: 'address', typed: draft.addresses[0] ?? {}, today })
      await settled()
      const saved = kept().at(-1)
      for (const each of kept()) each.answer(null)
      session.send({ type: 'submit', agreed: true, shown: 'words' })
      const first = await next('/credit-reports')
      asked = []
      return { first, saved: saved?.body }
    }

    test('the same request is sent under the same key, with the same consent and start', async () => {
      const { first, saved } = await leave({ start: 'start-1' })
      session.end()
      session = start({ start: 'start-2' })
      session.begin()
      const current = await next(CURRENT)
      expect([screen().name, session.flow.value.isResumed, current.start]).toEqual(['sending', true, 'start-2'])
      sessionIdOf('session-2')
      current.answer(withDraft(saved))
      const again = await next('/credit-reports')
      expect([again.key, again.start]).toEqual([first.key, 'start-1'])
      expect(again.body).toEqual({ ...first.body, sessionId: 'session-2' })
      again.answer(challenged)
      await settled()
      expect(screen().name).toBe('code')
      await load(withDraft(saved))
      expect([screen().name, sent()]).toEqual(['answers', []])
    })

    test('another draft than the one that was sent is only shown', async () => {
      const { saved } = await leave()
      await load(withDraft({ ...Object(saved), id: 'another' }))
      expect([screen().name, sent()]).toEqual(['answers', []])
      await load(withDraft(saved))
      expect([screen().name, sent()]).toEqual(['answers', []])
    })

    test('without a draft there is the form, or the check that the server knows of', async () => {
      await leave()
      await load(withDraft(null))
      expect([screen().name, sent()]).toEqual(['details', []])
      await leave()
      await load(withDraft(null, challenged.data))
      expect([screen().name, sent()]).toEqual(['code', []])
    })

    test('details that the server did not keep are not sent by themselves', async () => {
      await load(withDraft(null))
      session.send({ type: 'details', typed: draft.person, today })
      session.send({ type: 'address', typed: draft.addresses[0] ?? {}, today })
      await settled()
      for (const each of kept()) each.answer(null, 500)
      session.send({ type: 'submit', agreed: true, shown: 'words' })
      await settled()
      for (const each of kept()) each.answer(null, 500)
      await next('/credit-reports')
      asked = []
      await load(withDraft(draft))
      expect([screen().name, sent()]).toEqual(['answers', []])
    })

    test('a line that is down then is tried again on demand', async () => {
      const { first, saved } = await leave()
      session.end()
      session = start()
      session.begin()
      ;(await next(CURRENT)).answer({ code: 'rate-limited', message: 'x' }, 429)
      await settled()
      expect(screen().name).toBe('trouble')
      session.send({ type: 'again' })
      ;(await next(CURRENT)).answer(withDraft(saved))
      expect((await next('/credit-reports')).key).toBe(first.key)
    })
  })
})
