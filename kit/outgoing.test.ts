import { expect, test } from 'vitest'
import { wasNeverConnected } from './outgoing.ts'

const failed = (code: unknown, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code })

const rows: [name: string, error: unknown, expected: boolean][] = [
  ['refused', failed('ECONNREFUSED'), true],
  ['refused, as fetch says it', new TypeError('fetch failed', { cause: failed('ENOTFOUND') }), true],
  ['refused at each address', new AggregateError([failed('ECONNRESET'), failed('EHOSTUNREACH')]), true],
  ['refused at each address, as fetch says it', failed(1, new AggregateError([failed('ENETUNREACH')])), true],
  ['cut later', new TypeError('fetch failed', { cause: failed('ECONNRESET') }), false],
  ['without a code', new Error('ECONNREFUSED'), false],
  ['with a code that is no text', failed(['ECONNREFUSED']), false],
  ['that is no error', { code: 'ECONNREFUSED' }, false],
]
test.each(rows)('a call that was %s', (_name, error, expected) => {
  expect(wasNeverConnected(error)).toBe(expected)
})
