// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LOCALES } from '../strings/locales.ts'
import { createWords as createSharedWords } from '../strings/words.ts'
import { IdleWarning, watchIdle } from './idle-warning.tsx'
import { createWords } from './words.ts'

const words = createWords(createSharedWords('en-GB', await LOCALES['en-GB'].load()))

const MINUTE_MS = 60_000
let said: string[] = []
let seen: number[] = []
let end = () => {}

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  said = []
  seen = []
  end = watchIdle({
    onWarn: () => said.push('warn'),
    onSeen: () => seen.push(Date.now() / MINUTE_MS),
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

test('while the page is used, that is said every four minutes', () => {
  for (let minute = 1; minute <= 9; minute++) {
    vi.advanceTimersByTime(MINUTE_MS)
    touch()
  }
  expect(seen).toEqual([4, 8])
  vi.advanceTimersByTime(9 * MINUTE_MS)
  expect(seen).toEqual([4, 8])
})

test('a touch after the warning lets them stay, as often as they like', () => {
  for (let round = 0; round < 12; round++) {
    vi.advanceTimersByTime(9.5 * MINUTE_MS)
    touch()
  }
  expect(said).toEqual(Array.from({ length: 12 }, () => 'warn'))
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

describe('the warning', () => {
  const onPrint = vi.fn()
  const onGone = vi.fn()

  function warn(opensUntilMs: number): void {
    render(<IdleWarning words={words} opensUntilMs={opensUntilMs} onPrint={onPrint} onSeen={vi.fn()} onGone={onGone} />)
    act(() => void vi.advanceTimersByTime(9 * MINUTE_MS))
  }
  afterEach(() => {
    act(() => cleanup())
    vi.clearAllMocks()
  })

  test.each([
    [15 * MINUTE_MS, 'We will lock your report in 1 minute to keep it private. Your date of birth opens it again.'],
    // Its time is over before anyone could open it.
    [9.5 * MINUTE_MS, 'We will close your report in 1 minute to keep it private. You cannot open it here again.'],
    [0, 'We will close your report in 1 minute to keep it private. You cannot open it here again.'],
  ])('says lock where it can be opened again and close where it cannot: until %i', (opensUntilMs, expected) => {
    warn(opensUntilMs)
    expect(screen.getByRole('dialog').textContent).toContain(expected)
  })

  test('offers to print before, and goes', () => {
    warn(0)
    fireEvent.click(screen.getByRole('button', { name: 'Print or save' }))
    expect(onPrint).toHaveBeenCalledOnce()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(onGone).not.toHaveBeenCalled()
  })

  test('goes when the reader wants to keep the report open', () => {
    warn(0)
    fireEvent.click(screen.getByRole('button', { name: 'Keep it open' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
