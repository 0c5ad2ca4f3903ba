import { describe, expect, test } from 'vitest'
import { describeError } from './describe-error.ts'
import { createLog, createSilentLog, currentTrace, type LogFields, runTraced } from './log.ts'

function createRecorder(options: { strict?: boolean; level?: 'info' | 'debug' } = {}) {
  const lines: string[] = []
  return { lines, log: createLog({ strict: true, ...options, to: { write: (line) => lines.push(line) } }) }
}

test('a line is JSON: when, how serious, what happened and the fields of the list', () => {
  const { lines, log } = createRecorder()
  log.info('request', { method: 'GET', status: 200, tenantId: undefined })
  const { time, ...line } = JSON.parse(lines.join())
  expect(time).toBeTypeOf('number')
  expect(line).toEqual({ level: 30, pid: process.pid, event: 'request', method: 'GET', status: 200 })
})

describe('a field that is not on the list', () => {
  // A developer in a hurry might write this, past the compiler.
  const personal: LogFields = JSON.parse('{"email":"ada@example.com","status":200}')

  test('throws where a test asks for it', () => {
    const { log } = createRecorder()
    expect(() => log.info('request', personal)).toThrow(/email is not on the list/)
  })

  test('is left out in production', () => {
    const { lines, log } = createRecorder({ strict: false })
    log.info('request', personal)
    expect(lines.join()).not.toContain('ada')
    expect(JSON.parse(lines.join()).status).toBe(200)
  })

  test.each([
    ['an object where a text belongs', '{"tenantId":{"name":"Ada"}}'],
    ['a text where a number belongs', '{"status":"Ada"}'],
    ['a text too long to be an id', JSON.stringify({ tenantId: 'a'.repeat(201) })],
    ['a number that has no end', '{"status":1e999}'],
    ['a number where a text belongs', '{"tenantId":7}'],
    ['a name every object has', '{"constructor":"x"}'],
    ['the name of a prototype', '{"__proto__":"x"}'],
  ])('%s is none either', (_name, fields) => {
    const { log } = createRecorder()
    expect(() => log.info('request', JSON.parse(fields))).toThrow(/is not on the list/)
  })
})

test('a text of two hundred characters is written whole', () => {
  const { lines, log } = createRecorder()
  log.info('request', { tenantId: 'a'.repeat(200) })
  expect(JSON.parse(lines.join()).tenantId).toBe('a'.repeat(200))
})

test('the level decides what is written', () => {
  const { lines, log } = createRecorder()
  log.debug('request')
  expect(lines).toEqual([])
})

test('each level has its number', () => {
  const { lines, log } = createRecorder({ level: 'debug' })
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level, { count: 1 })
  const written = lines.map((line) => JSON.parse(line)).map(({ level, event, count }) => [level, event, count])
  expect(written).toEqual([
    [20, 'debug', 1],
    [30, 'info', 1],
    [40, 'warn', 1],
    [50, 'error', 1],
  ])
})

test('a silent log is as strict about fields as a test', () => {
  expect(() => createSilentLog().info('request', JSON.parse('{"email":"ada@example.com"}'))).toThrow(/not on the list/)
})

test('a field that is not on the list is left out unless a test asks for more', () => {
  const lines: string[] = []
  createLog({ to: { write: (line) => lines.push(line) } }).info('request', JSON.parse('{"email":"x","status":200}'))
  expect(JSON.parse(lines.join())).toMatchObject({ level: 30, event: 'request', status: 200 })
})

test('lines written for a request carry its ids, and others do not', () => {
  const { lines, log } = createRecorder()
  const trace = { requestId: 'request-1', traceId: 'trace-1', flags: '00' }
  const answer = runTraced(trace, () => {
    log.info('request')
    return currentTrace()
  })
  log.info('later')
  expect(answer).toBe(trace)
  expect(currentTrace()).toBeUndefined()
  const [first, second] = lines.map((line) => JSON.parse(line))
  expect(first).toMatchObject({ requestId: 'request-1', traceId: 'trace-1' })
  expect(second).not.toHaveProperty('requestId')
})

test('flushing waits for the buffer of an output that has one, and for nothing else', async () => {
  let written = () => {}
  const flush = (done: () => void) => {
    written = done
  }
  const buffered = createLog({ to: Object.assign({ write: () => {} }, { flush }) })
  let isFlushed = false
  const flushed = buffered.flush().then(() => {
    isFlushed = true
  })
  await Promise.resolve()
  expect(isFlushed).toBe(false)
  written()
  await flushed
  await createRecorder().log.flush()
  await createLog({ to: Object.assign({ write: () => {} }, { flush: 'not a function' }) }).flush()
})

describe('describeError', () => {
  test('says class, code and place, never the message', () => {
    const error = Object.assign(new RangeError('ada@example.com'), { code: '22021' })
    const described = describeError(error)
    expect(described).toMatchObject({ errorClass: 'RangeError', errorCode: '22021' })
    expect(described.errorAt).toMatch(/^log\.test\.ts:\d+/)
    expect(JSON.stringify(described)).not.toContain('ada')
  })

  test('says what caused it, by code or class', () => {
    const refused = Object.assign(new Error('10.1.2.3'), { code: 'ECONNREFUSED' })
    const error = new Error('unavailable', { cause: new TypeError('fetch failed', { cause: refused }) })
    expect(describeError(error).errorCause).toBe('TypeError < ECONNREFUSED')
  })

  test('shows four causes and three places at most', () => {
    const causedBy = (cause: Error | undefined, name: string) => Object.assign(new Error('', { cause }), { name })
    const chain = ['Sixth', 'Fifth', 'Fourth', 'Third', 'Second'].reduce<Error | undefined>(causedBy, undefined)
    const stack = ['Error: a', ...[1, 2, 3, 4].map((line) => `    at go (/home/ada/file-${line}.ts:${line}:9)`)]
    const error = Object.assign(new Error('a', { cause: chain }), { stack: stack.join('\n') })
    expect(describeError(error)).toEqual({
      errorClass: 'Error',
      errorCode: undefined,
      errorAt: 'file-1.ts:1 < file-2.ts:2 < file-3.ts:3',
      errorCause: 'Second < Third < Fourth < Fifth',
    })
  })

  test.each<[name: string, error: unknown, described: object]>([
    ['no stack and no cause', Object.assign(new Error('a'), { stack: undefined }), { errorClass: 'Error' }],
    ['a code that is a number', Object.assign(new Error('a'), { stack: '', code: 7 }), { errorClass: 'Error' }],
    ['a cause that is a text', Object.assign(new Error('a', { cause: 'b' }), { stack: '' }), { errorClass: 'Error' }],
    ['a name of sixty letters', named('n'.repeat(60)), { errorClass: 'n'.repeat(60) }],
    ['a name that is longer', named('n'.repeat(61)), { errorClass: 'Error' }],
    ['a text', 'ada', { errorClass: 'string' }],
    ['nothing', undefined, { errorClass: 'undefined' }],
  ])('of %s only what there is', (_name, error, described) => {
    expect(describeError(error)).toEqual(described)
  })

  test.each([
    ['a message that looks like a stack', new Error('x\n    at ada (/home/ada:1:1)\n    at lovelace (/b:2:2)')],
    ['a code that is a sentence', Object.assign(new Error(''), { code: 'ada lovelace was here' })],
    ['a name that is a sentence', Object.assign(new Error(''), { name: 'ada lovelace' })],
    ['a cause that is a sentence', new Error('', { cause: new Error('ada') })],
    ['a string', 'ada'],
    ['nothing', undefined],
  ])('%s gives nothing away', (_name, error) => {
    expect(JSON.stringify(describeError(error))).not.toContain('ada')
  })
})

function named(name: string): Error {
  return Object.assign(new Error('a'), { name, stack: '' })
}
