// @vitest-environment happy-dom
// A page that is opened, or opened again: what it asks, shows and sends before a check can begin.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Asked,
  at,
  beginSessions,
  challenged,
  meta,
  next,
  none,
  realSetTimeout,
  screen,
  settled,
  shortenWaits,
  start,
  submit,
  today,
} from '../../testing/answered-session.ts'

beginSessions()

describe('before the server has said how this browser’s check stands', () => {
  const CURRENT = '/credit-reports/current'
  const complete = { meta, data: { status: 'complete', creditReportId: 'r1', creditReport: {} } }
  const posts = () => at.asked.filter(({ path, method }) => path === '/credit-reports' && method === 'POST')
  const ways: [string, (request: Asked) => void][] = [
    ['502', (request) => request.garble('<h1>Bad gateway</h1>', 502)],
    ['a web page', (request) => request.garble('<!doctype html><title>Free Wi-Fi</title>')],
    ['a cut line', (request) => request.cut()],
    ['an answer to another request', (request) => request.garble(JSON.stringify(none))],
    ['403 of something in front', (request) => request.garble('<h1>Sign in to the network</h1>', 403)],
  ]

  beforeEach(shortenWaits)
  afterEach(() => {
    at.failing = null
  })

  /** The page anew, in the same tab, while every `current` fails. */
  async function load(fail: (request: Asked) => void): Promise<void> {
    at.session.end()
    at.asked = []
    at.failing = fail
    at.session = start()
    at.session.begin()
    await expect.poll(() => at.failures).toBeGreaterThan(5)
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
    at.session.send({ type: 'details', typed: person, today })
    at.session.send({
      type: 'address',
      typed: { buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP' },
      today,
    })
    at.session.send({ type: 'submit', agreed: true, shown: 'words' })
  }

  test('"Agree" asks first, and begins nothing until that is answered', async () => {
    await load((request) => request.cut())
    expect(screen().name).toBe('details')
    at.failing = null
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
    at.failing = null
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
      at.failing = null
      at.session.send({ type: 'again' })
      ;(await next(CURRENT)).answer(none)
      ;(await next('/credit-reports')).answer(challenged)
      await expect.poll(() => screen().name).toBe('code')
    },
  )

  test('a check in progress that only comes to light at "Agree" is shown, and none begun', async () => {
    await load((request) => request.cut())
    at.session.touch()
    at.failing = null
    press()
    ;(await next(CURRENT)).answer(challenged)
    await expect.poll(() => screen().name).toBe('code')
    expect(posts()).toEqual([])
    at.session.send({ type: 'change-details' })
    expect(screen().name).toBe('answers')
  })

  test('one that came to light while the form was filled in is shown at "Agree"', async () => {
    at.session.end()
    at.session = start()
    at.session.begin()
    const first = await next(CURRENT)
    at.session.touch()
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
        at.failing = null
        ;(await next(CURRENT)).answer(complete)
        await expect.poll(() => screen().name).toBe('report')
      },
    )

    test('there is no form while the first answer is awaited', async () => {
      at.session.end()
      at.session = start()
      expect(screen().name).toBe('sending')
      at.session.begin()
      ;(await next(CURRENT)).answer(none)
      await expect.poll(() => screen().name).toBe('details')
      at.session.end()
      at.session = start()
      expect(screen().name).toBe('details')
    })

    test('coming back to the page, or to the line, asks at once', async () => {
      vi.stubGlobal('setTimeout', realSetTimeout)
      at.session.end()
      at.failing = (request) => request.garble('', 404)
      at.session = start()
      at.session.begin()
      await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'unreached' })
      at.failing = null
      at.session.sync()
      expect(await next(CURRENT)).toMatchObject({ method: 'GET' })
    })

    test('429 keeps its own screen, and is asked again when its time is over', async () => {
      at.session.end()
      at.session = start()
      at.session.begin()
      ;(await next(CURRENT)).answer({ code: 'rate-limited', message: 'x' }, 429)
      await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'busy' })
    })

    test('503 in our own words keeps its own screen', async () => {
      await load((request) => request.answer({ code: 'unavailable', message: 'x' }, 503))
      expect(screen()).toMatchObject({ name: 'trouble', why: 'broken' })
    })

    test('a check that was forgotten is not awaited', async () => {
      at.session.send({ type: 'start-over' })
      await settled()
      at.session.end()
      at.session = start()
      expect(screen().name).toBe('details')
    })
  })
})

describe('steps of the form', () => {
  const STEPS = '/credit-reports/steps'
  const steps = () => at.asked.filter(({ path }) => path === STEPS).map(({ body, tab, key }) => ({ ...body, tab, key }))

  async function fillIn(takesSteps: boolean, sendsSteps = true): Promise<void> {
    at.session.end()
    at.session = start({ sendsSteps })
    at.session.begin()
    ;(await next('/credit-reports/current')).answer({ ...none, meta: { ...meta, ...(takesSteps && { takesSteps }) } })
    await settled()
    at.session.send({ type: 'details', typed: { firstName: 'Sam' }, today })
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

describe('with a start of the lender’s server', () => {
  const known = { lastName: 'Ash', mobileNumber: '+447700900999' }
  const withKnown = { ...none, meta: { ...none.meta, known } }
  async function begin(): Promise<Asked> {
    at.session.end()
    at.session = start({ start: 'sealed' })
    at.session.begin()
    return next('/credit-reports/current')
  }

  test('its details come from the server, which gets the start with every request', async () => {
    expect(at.session.flow.value.start).toBe('none')
    const request = await begin()
    expect([request.start, at.session.flow.value.start]).toEqual(['sealed', 'awaited'])
    request.answer(withKnown)
    await expect.poll(() => at.session.flow.value.start).toBe('here')
    expect(at.session.flow.value.fixed.person).toEqual(known)
    expect(await submit(known)).toMatchObject({ start: 'sealed', body: known })
  })

  test('without them there is no form: the fault is shown, and the next try asks again', async () => {
    ;(await begin()).answer({ code: 'start-refused', message: 'used' }, 410)
    await expect.poll(screen).toMatchObject({ name: 'trouble', why: 'session' })
    at.session.send({ type: 'again' })
    expect(screen().name).toBe('details')
    at.session.begin()
    ;(await next('/credit-reports/current')).answer(withKnown)
    await expect.poll(() => at.session.flow.value.start).toBe('here')
  })
})
