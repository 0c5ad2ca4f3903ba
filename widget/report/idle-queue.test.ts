// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenIdle } from './idle-queue.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // A browser without idle callbacks, such as Safari.
  vi.stubGlobal('requestIdleCallback', undefined)
})
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('each idle moment runs one task, in the order they came', () => {
  const ran: string[] = []
  whenIdle(() => ran.push('first'))
  whenIdle(() => ran.push('second'))
  expect(ran).toEqual([])
  vi.advanceTimersToNextTimer()
  expect(ran).toEqual(['first'])
  vi.advanceTimersToNextTimer()
  expect(ran).toEqual(['first', 'second'])
})

test('a task that is called off never runs', () => {
  const task = vi.fn()
  whenIdle(task)()
  vi.runAllTimers()
  expect(task).not.toHaveBeenCalled()
})

test('a task that throws does not stop the others', () => {
  const next = vi.fn()
  whenIdle(() => {
    throw new Error('broken')
  })
  whenIdle(next)
  expect(() => vi.advanceTimersToNextTimer()).toThrow('broken')
  vi.runAllTimers()
  expect(next).toHaveBeenCalledOnce()
})
