// @vitest-environment happy-dom
// @vitest-environment-options { "settings": { "handleDisabledFileLoadingAsSuccess": true } }
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFingerprint } from './fingerprint.ts'

const SRC = 'https://service.example/v1/fingerprints/device'
let gone = new AbortController()

beforeEach(() => {
  gone = new AbortController()
  vi.useFakeTimers()
})
afterEach(() => {
  gone.abort()
  vi.useRealTimers()
  Reflect.deleteProperty(window, 'service')
  Reflect.deleteProperty(document, '__deviceFingerprint')
  document.head.replaceChildren()
})

function placeMarker(state: string, sessionId = ''): { retries: number } {
  const calls = { retries: 0 }
  const marker = Object.assign(() => calls.retries++, { state, sessionId })
  Object.defineProperty(document, '__deviceFingerprint', { value: marker, configurable: true })
  document.dispatchEvent(new Event('devicefingerprint'))
  return calls
}

function callBack(answer: unknown): void {
  const { deviceFingerprint } = Reflect.get(window, 'service')
  deviceFingerprint(answer)
}

const insertedScripts = () => [...document.querySelectorAll('script')]

describe('where the session id comes from', () => {
  test('from a script that has finished before the widget came', async () => {
    placeMarker('ready', 's-1')
    expect(await createFingerprint(gone.signal).sessionId()).toBe('s-1')
  })

  test('from the callback, for a script without a marker', async () => {
    const fingerprint = createFingerprint(gone.signal)
    const waiting = fingerprint.sessionId()
    callBack({ sessionId: 's-2' })
    expect(await waiting).toBe('s-2')
  })

  test('from the marker when it turns ready later', async () => {
    placeMarker('loading')
    const waiting = createFingerprint(gone.signal).sessionId()
    placeMarker('ready', 's-3')
    expect(await waiting).toBe('s-3')
  })

  test('always the newest, because the script renews it', async () => {
    placeMarker('ready', 's-4')
    const fingerprint = createFingerprint(gone.signal)
    await fingerprint.sessionId()
    placeMarker('ready', 's-5')
    expect(await fingerprint.sessionId()).toBe('s-5')
  })

  test('from a new session once another person goes on', async () => {
    placeMarker('ready', 's-6')
    const fingerprint = createFingerprint(gone.signal)
    callBack({ sessionId: 's-6' })
    expect(await fingerprint.sessionId()).toBe('s-6')
    const marker = Object.assign(vi.fn(), { state: 'loading', sessionId: 's-6' })
    Object.defineProperty(document, '__deviceFingerprint', { value: marker, configurable: true })
    fingerprint.renew()
    expect(marker).toHaveBeenCalledWith('')
    const waiting = fingerprint.sessionId()
    placeMarker('ready', 's-7')
    expect(await waiting).toBe('s-7')
  })

  test('still from the callback when another person goes on, for a script that has nothing else', async () => {
    const fingerprint = createFingerprint(gone.signal)
    callBack({ sessionId: 's-8' })
    fingerprint.renew()
    expect(await fingerprint.sessionId()).toBe('s-8')
  })

  test.each([[null], [{}], [{ sessionId: '' }], [{ sessionId: 7 }], ['s']])('never from %j', async (answer) => {
    const waiting = createFingerprint(gone.signal).sessionId()
    callBack(answer)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await waiting).toBeNull()
  })
})

describe('the page’s own callback', () => {
  test('is still called', () => {
    const own = vi.fn()
    Reflect.set(window, 'service', { deviceFingerprint: own })
    createFingerprint(gone.signal)
    callBack({ sessionId: 's' })
    expect(own).toHaveBeenCalledWith({ sessionId: 's' })
  })

  test('is given back when the element is gone', () => {
    const own = vi.fn()
    Reflect.set(window, 'service', { deviceFingerprint: own })
    createFingerprint(gone.signal)
    gone.abort()
    expect(Reflect.get(window, 'service').deviceFingerprint).toBe(own)
  })

  test('leaves nothing behind where there was none', () => {
    createFingerprint(gone.signal)
    gone.abort()
    expect(Reflect.get(window, 'service')).toEqual({})
  })

  test.each([
    ['a text', 'mine'],
    ['a frozen object', Object.freeze({})],
    ['a number', 7],
  ])('is not fought over when window.service is %s', async (_name, service) => {
    Reflect.set(window, 'service', service)
    placeMarker('ready', 's-6')
    expect(await createFingerprint(gone.signal).sessionId()).toBe('s-6')
    expect(Reflect.get(window, 'service')).toBe(service)
  })
})

describe('bringing the script', () => {
  test('the page did not, so the widget does', () => {
    createFingerprint(gone.signal).ensure(SRC)
    expect(insertedScripts().map(({ src }) => src)).toEqual([SRC])
  })

  test('once is enough', () => {
    const fingerprint = createFingerprint(gone.signal)
    fingerprint.ensure(SRC)
    fingerprint.ensure(SRC)
    expect(insertedScripts()).toHaveLength(1)
  })

  test('not when the page’s own has run', () => {
    placeMarker('loading')
    createFingerprint(gone.signal).ensure(SRC)
    expect(insertedScripts()).toEqual([])
  })

  test('not while the page’s own tag may still be loading', () => {
    vi.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
    document.head.innerHTML = `<script type="text/plain" src="${SRC}"></script>`
    createFingerprint(gone.signal).ensure(SRC)
    expect(insertedScripts()).toHaveLength(1)
    window.dispatchEvent(new Event('load'))
    expect(insertedScripts()).toHaveLength(2)
  })
})

describe('when it does not come', () => {
  test('ten seconds are all anyone waits', async () => {
    let answer: string | null | undefined
    createFingerprint(gone.signal)
      .sessionId()
      .then((sessionId) => {
        answer = sessionId
      })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(answer).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(answer).toBeNull()
  })

  test('a refusal is given three seconds to find another way', async () => {
    const waiting = createFingerprint(gone.signal).sessionId()
    placeMarker('blocked')
    await vi.advanceTimersByTimeAsync(2_000)
    placeMarker('ready', 's-7')
    expect(await waiting).toBe('s-7')
  })

  test('and then it is reported', async () => {
    const waiting = createFingerprint(gone.signal).sessionId()
    placeMarker('blocked')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await waiting).toBeNull()
  })

  test('a script that could not be fetched is fetched again with the next try', async () => {
    const fingerprint = createFingerprint(gone.signal)
    fingerprint.ensure(SRC)
    insertedScripts()[0]?.dispatchEvent(new Event('error'))
    const waiting = fingerprint.sessionId()
    expect(insertedScripts()).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5_000)
    placeMarker('ready', 's-8')
    expect(await waiting).toBe('s-8')
  })

  test('trying again makes the script try again', () => {
    const calls = placeMarker('timeout')
    createFingerprint(gone.signal).sessionId()
    expect(calls.retries).toBe(1)
  })
})
