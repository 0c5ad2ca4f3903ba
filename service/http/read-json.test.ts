import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { ApiError } from './api-error.ts'
import { readJson } from './read-body.ts'

const Body = z.object({ name: z.string(), nested: z.optional(z.unknown()) })

function post(
  body: BodyInit | null,
  headers: { [name: string]: string } = { 'Content-Type': 'application/json' },
): Request {
  return new Request('http://service.test/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

async function refusal(request: Request): Promise<Pick<ApiError, 'status' | 'code' | 'message'>> {
  const error = await readJson(request, Body).then(
    () => new Error('nothing was refused'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, code: error.code, message: error.message }
}

test('reads what fits and drops what was not asked for', async () => {
  expect(await readJson(post('{"name":"Ada","age":36}'), Body)).toEqual({ name: 'Ada' })
})

describe('the media type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('%s is read', async (type) => {
    expect(await readJson(post('{"name":"Ada"}', { 'Content-Type': type }), Body)).toEqual({ name: 'Ada' })
  })

  test.each<[string, { [name: string]: string }]>([
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a lookalike', { 'Content-Type': 'application/json-patch' }],
    ['a cousin', { 'Content-Type': 'application/problem+json' }],
    ['another alphabet', { 'Content-Type': 'application/json; charset=utf-16' }],
    ['compression', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
  ])('%s is 415', async (_name, headers) => {
    expect(await refusal(post('{"name":"Ada"}', headers))).toMatchObject({
      status: 415,
      code: 'unsupported-media-type',
    })
  })

  test('none at all is 415', async () => {
    expect(await refusal(post(new TextEncoder().encode('{"name":"Ada"}'), {}))).toMatchObject({ status: 415 })
  })
})

describe('the size', () => {
  const exactly = (bytes: number) => `{"name":"${'a'.repeat(bytes - '{"name":""}'.length)}"}`

  test('the largest allowed body is read', async () => {
    expect((await readJson(post(exactly(BODY_BYTES_MAX)), Body)).name.length).toBeGreaterThan(60_000)
  })

  test('one byte more is 413', async () => {
    expect(await refusal(post(exactly(BODY_BYTES_MAX + 1)))).toMatchObject({ status: 413, code: 'payload-too-large' })
  })

  test('a declared length over the limit is refused without reading a byte', async () => {
    let pulled = 0
    const stream = new ReadableStream({ pull: () => void pulled++ }, { highWaterMark: 0 })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(BODY_BYTES_MAX + 1) }
    expect(await refusal(post(stream, headers))).toMatchObject({ status: 413 })
    expect(pulled).toBe(0)
  })

  test('an endless upload is cut off soon after the limit', async () => {
    let bytes = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        bytes += 1024
        controller.enqueue(new Uint8Array(1024))
      },
    })
    expect(await refusal(post(stream))).toMatchObject({ status: 413 })
    expect(bytes).toBeLessThan(BODY_BYTES_MAX + 8 * 1024)
  })

  test('a length that lies is not believed', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '5' }
    expect(await refusal(post(exactly(BODY_BYTES_MAX + 1), headers))).toMatchObject({ status: 413 })
  })
})

describe('what is not JSON is 400 and is not repeated in the message', () => {
  test.each<[string, BodyInit | null]>([
    ['no body', null],
    ['an empty one', ''],
    ['half an object', '{"name":"Ada'],
    ['two values', '{"name":"Ada"} {"name":"Ada"}'],
    ['a comment', '{"name":"Ada"} // Ada'],
    ['single quotes', "{'name':'Ada'}"],
    ['broken UTF-8', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])],
    ['overlong UTF-8', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
  ])('%s', async (_name, body) => {
    const refused = await refusal(post(body))
    expect(refused).toEqual({ status: 400, code: 'validation-error', message: 'body: must be valid JSON in UTF-8' })
  })

  test.each(['[]', 'null', '1', '"Ada"', 'true'])('%s is no object', async (body) => {
    expect(await refusal(post(body))).toMatchObject({ status: 400, message: 'body: must be an object' })
  })
})

describe('bodies made to hurt', () => {
  test('a problem names its path', async () => {
    expect((await refusal(post('{"name":7}'))).message).toBe('name: must be a text')
  })

  test('the last of two equal keys counts, as every JSON reader has it', async () => {
    expect(await readJson(post('{"name":"Ada","name":"Eve"}'), Body)).toEqual({ name: 'Eve' })
  })

  test.each([
    '{"name":"Ada","__proto__":{"polluted":true}}',
    '{"name":"Ada","constructor":{"prototype":{"polluted":true}}}',
  ])('%s pollutes nothing', async (body) => {
    const read = await readJson(post(body), Body)
    expect(Object.hasOwn(read, '__proto__')).toBe(false)
    expect('polluted' in read || 'polluted' in {}).toBe(false)
  })

  test('the deepest body that fits is read or refused, never a crash', async () => {
    const deep = `{"name":${'['.repeat(32_000)}${']'.repeat(32_000)}}`
    expect(await refusal(post(deep))).toMatchObject({ status: 400, message: 'body: must be valid JSON in UTF-8' })
  })

  test('a byte order mark is not part of the text', async () => {
    expect(await readJson(post('\ufeff{"name":"Ada"}'), Body)).toEqual({ name: 'Ada' })
  })
})
