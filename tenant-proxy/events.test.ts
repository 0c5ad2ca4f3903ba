import { beforeEach, expect, test, vi } from 'vitest'
import type { createEmit as CreateEmit, ProxyEvent } from './events.ts'

// A module of its own for each test: what was warned of once, by whichever test of this process, is not said again.
let createEmit: typeof CreateEmit
beforeEach(async () => {
  vi.resetModules()
  ;({ createEmit } = await import('./events.ts'))
})

const answered: ProxyEvent = { type: 'refused', operation: 'generate', code: 'forbidden' }

test('a listener may fail at once or later: nothing else does', async () => {
  const unhandled = vi.fn()
  process.once('unhandledRejection', unhandled)
  const heard: string[] = []
  createEmit(() => {
    heard.push('at once')
    throw new Error('monitoring is down')
  })(answered)
  createEmit(async () => {
    heard.push('later')
    throw new Error('monitoring is down')
  })(answered)
  // Heard before the answer goes on, whether or not the listener is asynchronous.
  expect(heard).toEqual(['at once', 'later'])
  await new Promise(setImmediate)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

const error = new TypeError('cannot read the basket of sam@example.com')
const rows: [string, ProxyEvent, string | null][] = [
  ['a wrong option', { type: 'misconfigured', problem: 'check `tenantId`' }, 'check `tenantId`'],
  ['a wallet too low', { type: 'insufficient-funds', operation: 'generate' }, 'top it up'],
  ['a cap that is reached', { type: 'spend-cap-reached', operation: 'generate' }, 'raise it in the console'],
  ['a service that is away', { type: 'unavailable', operation: 'generate', reason: 'unreachable' }, 'unreachable'],
  ['a reference that fails', { type: 'hook-failed', hook: 'externalReference', error }, 'no check: TypeError'],
  [
    'addresses that cannot be found',
    { type: 'hook-failed', hook: 'findAddresses', error: 'away' },
    'type their address in: string',
  ],
  [
    'a mistake of ours',
    { type: 'internal-error', error: new RangeError('index') },
    'internal error: RangeError: index',
  ],
  ['something thrown that is no error', { type: 'internal-error', error: 'index' }, 'internal error: unknown'],
  ['a report that fails once', { type: 'hook-failed', hook: 'onReport', creditReportId: 'r-1', error }, null],
  [
    'a report that fails always',
    { type: 'undelivered', hook: 'onReport', creditReportId: 'r-1', tries: 6, error },
    'onReport failed 6 times for r-1: TypeError',
  ],
  ['a page from elsewhere', answered, null],
]

test.each(rows)('without a listener, %s: one warning if a person is needed', (_what, event, words) => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const emit = createEmit(undefined)
  emit(event)
  emit(event)
  const said = warn.mock.calls.map(([text]) => String(text))
  expect(said).toEqual(words === null ? [] : [expect.stringContaining(words)])
  expect(said.join()).not.toContain('sam@example.com')
})

test('a process warns of fifty things at most', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  const emit = createEmit(undefined)
  for (let number = 0; number < 60; number += 1) emit({ type: 'misconfigured', problem: `problem ${number}` })
  expect(warn).toHaveBeenCalledTimes(50)
})
