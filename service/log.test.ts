import { describe, expect, test } from 'vitest'
import { describeError } from './describe-error.ts'
import { createLog, type LogFields } from './log.ts'

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
  // What a hurried developer might write, past the compiler.
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
    ['a name every object has', '{"constructor":"x"}'],
    ['the name of a prototype', '{"__proto__":"x"}'],
  ])('%s is none either', (_name, fields) => {
    const { log } = createRecorder()
    expect(() => log.info('request', JSON.parse(fields))).toThrow(/is not on the list/)
  })
})

test('the level decides what is written', () => {
  const { lines, log } = createRecorder()
  log.debug('request')
  expect(lines).toEqual([])
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
