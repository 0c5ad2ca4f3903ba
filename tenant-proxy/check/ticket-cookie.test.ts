import { afterEach, describe, expect, test } from 'vitest'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import { createSeal } from './seal.ts'
import type { OpenTicket } from './ticket.ts'
import { type CookiePlace, createTicketCookie, type Foreign } from './ticket-cookie.ts'

const NOW_MS = 1_800_000_000_000
const seal = createSeal(['a secret of the lender'])
const refused: Foreign[] = []
const onForeign = (foreign: Foreign) => void refused.push(foreign)
const cookieOf = (tenantId: string, nowMs = NOW_MS) =>
  createTicketCookie({ seal, tenantId, clock: () => nowMs, onForeign })
const cookie = cookieOf('lender')
const place: CookiePlace = {
  path: PROXY_PATH,
  origin: 'shop.example',
  test: false,
  isSecure: true,
  isPreview: false,
}
afterEach(() => void refused.splice(0))
const ticket: OpenTicket = {
  status: 'open',
  creditReportId: 'r-1',
  challengeId: 'c-1',
  lastSentAtMs: NOW_MS,
  expiresAtMs: NOW_MS + 300_001,
  attemptsRemaining: 3,
  textsRemaining: 2,
}

/** `name=value` of a `Set-Cookie`, as the browser sends it back. */
const pairOf = (setCookie: string) => setCookie.split(';')[0] ?? ''
const sent = (...pairs: string[]) => new Headers({ Cookie: pairs.join('; ') })
const written = pairOf(cookie.write([ticket], place))
const name = '__Host-credit-report'

test('what was written comes back, also among the lender’s own cookies', () => {
  expect(cookie.read(sent(written), place)).toEqual([ticket])
  expect(cookie.read(sent('a=1', written, 'b=2'), place)).toEqual([ticket])
})

test.each<[string, CookiePlace, string]>([
  ['on every path of its host alone', place, `${name}; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=3901`],
  [
    'under a name of its own where the mount is another',
    { ...place, path: '/loans/check' },
    `${name}.loans.check; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=3901`,
  ],
  [
    'without Secure on plain HTTP',
    { ...place, isSecure: false },
    'credit-report; Path=/; HttpOnly; SameSite=Strict; Max-Age=3901',
  ],
  [
    'at its path in a preview',
    { ...place, path: '/credit-reports/test/a', isPreview: true },
    '__Secure-credit-report; Path=/credit-reports/test/a; HttpOnly; SameSite=Strict; Secure; Max-Age=3901',
  ],
  [
    'at its path in a preview on plain HTTP',
    { ...place, path: '/credit-reports/test/a', isSecure: false, isPreview: true },
    'credit-report; Path=/credit-reports/test/a; HttpOnly; SameSite=Strict; Max-Age=3901',
  ],
])('it is kept %s, until its last ticket is of no use', (_where, where, expected) => {
  expect(cookie.write([ticket], where).replace(/=[^;]*/, '')).toBe(expected)
})

test('without a ticket it is taken away', () => {
  expect(cookie.write([], place)).toBe(`${name}=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0`)
})

test('what would not fit is left out, the oldest first', () => {
  const long = (creditReportId: string, lastSentAtMs: number) => {
    return { ...ticket, creditReportId, lastSentAtMs, externalReference: 'x'.repeat(1_000) }
  }
  const header = cookie.write([long('old', 0), long('new', 2), long('middle', 1)], place)
  expect(header.length).toBeLessThan(4_096)
  expect(cookie.read(sent(pairOf(header)), place).map((each) => each.creditReportId)).toEqual(['new', 'middle'])
})

describe('of several cookies of its name', () => {
  const junk = `${name}=junk`

  test('the first that opens counts', () => {
    expect(cookie.read(sent(junk, written), place)).toEqual([ticket])
    const other = pairOf(cookie.write([{ ...ticket, creditReportId: 'r-2' }], place))
    expect(cookie.read(sent(other, written), place)).toMatchObject([{ creditReportId: 'r-2' }])
  })

  test('thirty-two are tried, and no more', () => {
    expect(cookie.read(sent(...Array<string>(31).fill(junk), written), place)).toEqual([ticket])
    expect(cookie.read(sent(...Array<string>(32).fill(junk), written), place)).toEqual([])
  })
})

test.each<[string, Headers, CookiePlace, typeof cookie]>([
  ['where there is none', new Headers(), place, cookie],
  ['at another mount', sent(written.replace(name, `${name}.loans`)), { ...place, path: '/loans' }, cookie],
  ['at another lender', sent(written), place, cookieOf('other')],
  ['past its time', sent(written), place, cookieOf('lender', NOW_MS + 3_900_001)],
])('it says nothing %s', (_where, headers, where, reader) => {
  expect(reader.read(headers, where)).toEqual([])
})

describe('a sealed cookie says what it is', () => {
  const context = JSON.stringify(['lender', PROXY_PATH])
  const sealed = (content: object) => sent(`${name}=${seal.seal(JSON.stringify(content), context)}`)
  const content = {
    kind: 'check',
    format: 3,
    tenantId: 'lender',
    test: false,
    origin: 'shop.example',
    tickets: [ticket],
  }

  test.each<[string, object, Foreign[]]>([
    ['of test mode', { test: true }, [{ mode: 'test' }]],
    ['of another installation', { origin: 'staging.shop.example' }, [{ origin: 'staging.shop.example' }]],
    ['of another tenant', { tenantId: 'other' }, []],
    ['of a kind that is not known', { kind: 'voucher' }, []],
    ['of a format that is not known', { format: 2 }, []],
    ['without a mode', { test: undefined }, []],
  ])('one %s is refused', (_what, change, expected) => {
    expect(cookie.read(sealed({ ...content, ...change }), place)).toEqual([])
    expect(refused).toEqual(expected)
  })

  test('a live one is refused in test mode', () => {
    expect(cookie.read(sent(written), { ...place, test: true })).toEqual([])
    expect(refused).toEqual([{ mode: 'live' }])
  })
})

test.each(['', 'null', '{}', '[1]', '[{"creditReportId":1}]', '{"__proto__":[]}'])('%s holds no tickets', (text) => {
  const sealed = seal.seal(text, JSON.stringify(['lender', PROXY_PATH]))
  expect(cookie.read(sent(`${name}=${sealed}`), place)).toEqual([])
})

test('a browser that sends back the probe or a ticket keeps cookies', () => {
  const probe = cookie.probe(place)
  expect(probe).toBe(`${name}-probe=1; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=86400`)
  expect(cookie.isKept(sent(pairOf(probe)), place)).toBe(true)
  expect(cookie.isKept(sent(written), place)).toBe(true)
  expect(cookie.isKept(sent('a=1'), place)).toBe(false)
  expect(cookie.isKept(new Headers(), place)).toBe(false)
})

test('a sealed text as long as a cookie may be opens, a longer one is not tried', () => {
  // 28 bytes around the text, and four characters for three bytes.
  const longest = seal.seal('x'.repeat(2_822), 'here')
  expect(longest).toHaveLength(3_800)
  expect(seal.open(longest, 'here')).toHaveLength(2_822)
  expect(seal.open(seal.seal('x'.repeat(2_823), 'here'), 'here')).toBeNull()
})
