// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchIdle } from './idle-warning.tsx'

const MINUTE_MS = 60_000
let said: string[] = []
let end = () => {}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  said = []
  end = watchIdle({
    onWarn: () => said.push('warn'),
    onBack: () => said.push('back'),
    onGone: () => said.push('gone'),
  })
})
afterEach(() => {
  end()
  vi.useRealTimers()
})

const touch = () => dispatchEvent(new Event('pointerdown'))

test('nine minutes alone bring a warning, ten the end', () => {
  vi.advanceTimersByTime(9 * MINUTE_MS - 1)
  expect(said).toEqual([])
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['warn'])
  vi.advanceTimersByTime(MINUTE_MS - 1)
  expect(said).toEqual(['warn'])
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['warn', 'gone'])
})

test('a touch before the warning begins the time again', () => {
  vi.advanceTimersByTime(8 * MINUTE_MS)
  touch()
  vi.advanceTimersByTime(8 * MINUTE_MS)
  expect(said).toEqual([])
  vi.advanceTimersByTime(MINUTE_MS)
  expect(said).toEqual(['warn'])
})

test('a touch after the warning lets them stay, as often as they like', () => {
  for (let round = 0; round < 12; round++) {
    vi.advanceTimersByTime(9.5 * MINUTE_MS)
    touch()
  }
  expect(said).toEqual(Array.from({ length: 12 }, () => ['warn', 'back']).flat())
  vi.advanceTimersByTime(10 * MINUTE_MS)
  expect(said.at(-1)).toBe('gone')
})

test('a device that slept through it closes the report when it wakes, not when its timer goes on', () => {
  vi.setSystemTime(60 * MINUTE_MS)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(said).toEqual(['gone'])
})

test('the touch that wakes it comes too late', () => {
  vi.setSystemTime(60 * MINUTE_MS)
  touch()
  expect(said).toEqual(['gone'])
})

test('after its end nothing is watched', () => {
  end()
  vi.advanceTimersByTime(60 * MINUTE_MS)
  expect(said).toEqual([])
})
