import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GenerateRequest, GenerateResponse, generateRequest } from './generate.ts'
import { read } from './problems.ts'
import { sampleAddress, sampleRequest } from './samples.ts'

const NOW_MS = Date.UTC(2026, 10, 15)
const schema = generateRequest({ nowMs: () => NOW_MS })

/** The sample with one field replaced (or removed, with undefined), by its path. */
function withField(path: string, value: unknown): unknown {
  const copy = structuredClone(sampleRequest) as unknown
  const keys = path.split('.')
  const last = keys.pop() ?? ''
  let target = copy as { [key: string]: unknown }
  for (const key of keys) target = target[key] as { [key: string]: unknown }
  if (value === undefined) delete target[last]
  else target[last] = value
  return copy
}

function problemPaths(value: unknown): string[] {
  const reading = read(schema, value)
  return reading.ok ? [] : reading.problems.map(({ path }) => path)
}

describe('a generate request', () => {
  test('the sample is accepted as it is', () => {
    expect(read(schema, sampleRequest)).toEqual({ ok: true, value: sampleRequest })
  })

  const required = [
    'sessionId',
    'bureaus',
    'ipAddress',
    'searchType',
    'firstName',
    'lastName',
    'dateOfBirth',
    'addresses',
  ]
  test.each(required)('%s is required', (field) => {
    expect(read(schema, withField(field, undefined))).toEqual({
      ok: false,
      problems: [{ path: field, expected: 'is required' }],
    })
  })

  const optional = [
    'title',
    'middleName',
    'gender',
    'mobileNumber',
    'email',
    'externalReference',
    'test',
    'challengeOptions',
  ]
  test.each(optional)('%s may be left out', (field) => {
    expect(read(schema, withField(field, undefined)).ok).toBe(true)
  })

  type Row = [says: string, path: string, value: unknown, where: string]
  const refused: Row[] = [
    ['an empty session id', 'sessionId', '', 'sessionId'],
    ['a session id that is a number', 'sessionId', 7, 'sessionId'],
    ['no bureau', 'bureaus', [], 'bureaus'],
    ['an unknown bureau', 'bureaus', ['equifax', 'nobody'], 'bureaus[1]'],
    ['bureaus as one text', 'bureaus', 'equifax', 'bureaus'],
    ['an address that is not an IP', 'ipAddress', '999.1.1.1', 'ipAddress'],
    ['an IP with a port', 'ipAddress', '203.0.113.7:80', 'ipAddress'],
    ['another search type', 'searchType', 'mortgage', 'searchType'],
    ['a blank first name', 'firstName', '   ', 'firstName'],
    ['a first name with a NUL', 'firstName', 'Sam\0', 'firstName'],
    ['half a surrogate pair', 'lastName', 'Ex\ud800ample', 'lastName'],
    ['a name of 101 characters', 'lastName', 'x'.repeat(101), 'lastName'],
    ['a date that never was', 'dateOfBirth', '1985-02-30', 'dateOfBirth'],
    ['a date in another order', 'dateOfBirth', '27-03-1985', 'dateOfBirth'],
    ['being born today', 'dateOfBirth', '2026-11-15', 'dateOfBirth'],
    ['being born in the first century', 'dateOfBirth', '0085-03-27', 'dateOfBirth'],
    ['no address', 'addresses', [], 'addresses'],
    ['an address that is a text', 'addresses', ['10 Orchard Lane'], 'addresses[0]'],
    ['eleven addresses', 'addresses', Array.from({ length: 11 }, () => sampleRequest.addresses[0]), 'addresses'],
    ['no town', 'addresses.0.ukAddress.townOrCity', undefined, 'addresses[0].ukAddress.townOrCity'],
    ['no postcode', 'addresses.0.ukAddress.postcode', undefined, 'addresses[0].ukAddress.postcode'],
    ['a postcode from nowhere', 'addresses.0.ukAddress.postcode', 'QQ1 1AA', 'addresses[0].ukAddress.postcode'],
    ['no building at all', 'addresses.0.ukAddress.buildingNumber', undefined, 'addresses[0].ukAddress'],
    ['a building of spaces', 'addresses.0.ukAddress.buildingNumber', '   ', 'addresses[0].ukAddress'],
    ['another gender letter', 'gender', 'X', 'gender'],
    ['a mobile in national form', 'mobileNumber', '07700900123', 'mobileNumber'],
    ['an e-mail without an at sign', 'email', 'sam.example.com', 'email'],
    ['an e-mail with two', 'email', 'sam@@example.com', 'email'],
    ['test as a text', 'test', 'true', 'test'],
    ['test as a number', 'test', 1, 'test'],
    ['another branch', 'challengeOptions', { status: 'maybe' }, 'challengeOptions.status'],
    ['null where something is required', 'firstName', null, 'firstName'],
    ['a country in words', 'addresses.0.ukAddress.country', 'Narnia', 'addresses[0].ukAddress.country'],
    ['a line break in a name', 'lastName', 'Exam\nple', 'lastName'],
    ['a direction mark in a name', 'lastName', 'Exam\u202eple', 'lastName'],
    ['a zero-width space in a name', 'firstName', 'S\u200bam', 'firstName'],
    ['a soft hyphen in a name', 'firstName', 'S\u00adam', 'firstName'],
    ['a filler in a name', 'firstName', 'S\u3164am', 'firstName'],
    ['a tag character in a name', 'firstName', 'S\u{e0041}am', 'firstName'],
    ['a blank braille pattern for a name', 'lastName', '\u2800', 'lastName'],
    ['a Khmer vowel that is not drawn', 'firstName', '\u17b4', 'firstName'],
    ['a null note head', 'firstName', 'S\u{1d159}am', 'firstName'],
    ['a variant of a letter in a name', 'lastName', 'Exam\ufe0fple', 'lastName'],
    ['private use in a name', 'lastName', '\ue000', 'lastName'],
    ['a middle name that is not seen', 'middleName', '\u2800', 'middleName'],
    ['what is no character in a name', 'firstName', 'S\uffffam', 'firstName'],
    ['what is no character beyond the first plane', 'firstName', 'S\u{1fffe}am', 'firstName'],
    ['five marks on a letter', 'lastName', `Z${'\u0301'.repeat(6)}oe`, 'lastName'],
    ['a name that NFC cannot make short enough', 'lastName', 'e\u0323\u0302'.repeat(101), 'lastName'],
    [
      'a byte order mark in an address',
      'addresses.0.ukAddress.thoroughfare',
      'Orchard\ufeff Lane',
      'addresses[0].ukAddress.thoroughfare',
    ],
  ]
  test.each(refused)('%s is refused, and the message says where', (_says, path, value, where) => {
    expect(problemPaths(withField(path, value))).toEqual([where])
  })

  const accepted: [says: string, path: string, value: unknown][] = [
    ['being sixteen today', 'dateOfBirth', '2010-11-15'],
    ['a leap day', 'dateOfBirth', '2000-02-29'],
    ['an IPv6 address', 'ipAddress', '2001:db8::7'],
    ['a name of one letter', 'lastName', 'O'],
    ['a name in another script', 'firstName', '김'],
    ['an apostrophe and a hyphen', 'lastName', 'O’Brien-Ní Dhomhnaill'],
    ['a gender', 'gender', 'F'],
    ['a foreign mobile', 'mobileNumber', '+4915112345678'],
    ['a name spelt with a joiner', 'lastName', 'مجید\u200cزاده'],
    ['an IPv4 address in IPv6 form', 'ipAddress', '::ffff:203.0.113.9'],
    ['a previous address', 'addresses.0.type', 'previous'],
    ['an address without a type', 'addresses.0.type', undefined],
  ]
  test.each(accepted)('%s is accepted', (_says, path, value) => {
    expect(problemPaths(withField(path, value))).toEqual([])
  })

  test.each(['subBuildingName', 'buildingName', 'buildingNumber'])('%s alone names the building', (field) => {
    const address = { type: 'current', ukAddress: { [field]: '1', townOrCity: 'Ambleford', postcode: 'M1 1AE' } }
    expect(problemPaths({ ...sampleRequest, addresses: [address] })).toEqual([])
  })

  test('a missing building is said together with the other problems', () => {
    const address = { type: 'current', ukAddress: { postcode: 'nonsense' } }
    expect(problemPaths({ ...sampleRequest, addresses: [address] }).sort()).toEqual([
      'addresses[0].ukAddress',
      'addresses[0].ukAddress.postcode',
      'addresses[0].ukAddress.townOrCity',
    ])
  })

  test('what people type comes out tidy: trimmed, the postcode normalised, repeated bureaus once', () => {
    const untidy = {
      ...sampleRequest,
      firstName: ' Sam ',
      bureaus: ['experian', 'equifax', 'experian'],
      addresses: [{ ukAddress: { buildingNumber: ' 10 ', townOrCity: ' Ambleford', postcode: 'sw1a1aa' } }],
    }
    expect(read(schema, untidy)).toMatchObject({
      ok: true,
      value: {
        firstName: 'Sam',
        bureaus: ['experian', 'equifax'],
        addresses: [
          { type: 'current', ukAddress: { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' } },
        ],
      },
    })
  })

  test('text comes out in NFC, a country in capitals', () => {
    const address = { ...sampleAddress, ukAddress: { ...sampleAddress.ukAddress, country: 'gb' } }
    const reading = read(schema, { ...sampleRequest, lastName: 'Zoe\u0308', addresses: [address] })
    expect(reading).toMatchObject({
      ok: true,
      value: { lastName: 'Zo\u00eb', addresses: [{ ukAddress: { country: 'GB' } }] },
    })
  })

  test('a name is measured in NFC: three units a letter may become one', () => {
    const reading = read(schema, { ...sampleRequest, lastName: 'e\u0323\u0302'.repeat(100) })
    expect(reading).toMatchObject({ ok: true, value: { lastName: '\u1ec7'.repeat(100) } })
  })

  test('null in an optional field is the same as no field', () => {
    const lines = ['subBuildingName', 'buildingName', 'thoroughfare', 'district', 'county', 'country']
    const nulls = (fields: string[]) => Object.fromEntries(fields.map((field) => [field, null]))
    const bare = { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' }
    const { title, mobileNumber, email, externalReference, test, challengeOptions, ...needed } = sampleRequest
    const without = read(schema, { ...needed, addresses: [{ ukAddress: bare }] })
    const withNulls = read(schema, {
      ...needed,
      ...nulls(optional),
      addresses: [{ type: null, ukAddress: { ...bare, ...nulls(lines) } }],
    })
    expect(without.ok).toBe(true)
    // As text, because that is what an idempotency key is compared with.
    expect(JSON.stringify(withNulls)).toBe(JSON.stringify(without))
  })

  test('a building that is null is no building', () => {
    expect(problemPaths(withField('addresses.0.ukAddress.buildingNumber', null))).toEqual(['addresses[0].ukAddress'])
  })

  test('unknown fields are dropped, not refused', () => {
    const reading = read(schema, { ...sampleRequest, cost: 0, tenantId: 'other' })
    expect(reading).toEqual({ ok: true, value: sampleRequest })
  })

  test('a service may have other bureaus', () => {
    const own = generateRequest({ bureaus: ['alpha'], nowMs: () => NOW_MS })
    expect(read(own, { ...sampleRequest, bureaus: ['alpha'] }).ok).toBe(true)
    expect(read(own, sampleRequest).ok).toBe(false)
  })

  test('a length that is no number is refused', () => {
    const length = JSON.parse('{ "toString": 1, "valueOf": 1 }')
    expect(read(GenerateRequest, { ...sampleRequest, firstName: { length } }).ok).toBe(false)
  })

  test('junk of any shape is refused with paths and never throws', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, withMap: true }), (junk) => {
        const reading = read(GenerateRequest, junk)
        expect(reading.ok || reading.problems.every(({ expected }) => expected.length > 0)).toBe(true)
      }),
      { numRuns: 300 },
    )
    const field = fc.constantFrom(...required, ...optional)
    fc.assert(
      fc.property(field, fc.anything({ withNullPrototype: true, withBigInt: true }), (name, junk) => {
        const reading = read(GenerateRequest, { ...sampleRequest, [name]: junk })
        expect(reading.ok || reading.problems.every(({ path }) => path === '' || path.startsWith(name))).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

describe('what generate answers', () => {
  const meta = { request: { timeTakenMs: 12 }, wallet: { balance: 999_500, cost: 500 } }
  const creditReportId = 'r1'

  test.each([
    [
      'authentication-required',
      { status: 'authentication-required', challengeType: 'otp', creditReportId, challenge: { challengeId: 'c1' } },
    ],
    ['blocked', { status: 'blocked', creditReportId }],
  ])('%s is read', (_status, data) => {
    expect(read(GenerateResponse, { meta, data })).toEqual({ ok: true, value: { meta, data } })
  })

  test('a challenge without its id is not an answer', () => {
    const data = { status: 'authentication-required', challengeType: 'otp', creditReportId, challenge: {} }
    expect(read(GenerateResponse, { meta, data }).ok).toBe(false)
  })

  test('fields of a newer service are let by', () => {
    const data = { status: 'blocked', creditReportId, because: 'new' }
    expect(read(GenerateResponse, { meta: { ...meta, region: 'uk' }, data }).ok).toBe(true)
  })
})
