import { describe, expect, test } from 'vitest'
import { createWebhookSecret } from '../kit/webhook-signature.ts'
import { nodeTransport } from './client/transport.ts'
import type { TenantProxyOptions } from './options.ts'
import { isLazy, readOptions } from './settings.ts'
import { createTenantProxy } from './tenant-proxy.ts'

const good: TenantProxyOptions = {
  service: 'https://service.example/',
  tenantId: 'demo-lender',
  credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
}
const production = { NODE_ENV: 'production' }

test('three options are enough', () => {
  expect(readOptions(good, {})).toMatchObject({
    serviceUrl: 'https://service.example',
    publicServiceUrl: 'https://service.example',
    path: '/credit-reports',
    publicPath: '/credit-reports',
    bureaus: ['equifax', 'experian', 'transunion'],
    test: null,
    testScenarios: false,
    requireStart: false,
    webhookSecrets: [],
    compress: undefined,
    exposeReport: undefined,
    reopenMinutes: 15,
    trustedHops: 0,
    forwardedHeader: 'x-forwarded-for',
    origins: [],
    clock: Date.now,
    transport: nodeTransport,
    isProduction: false,
    limits: { generatesMax: 5, writesMax: 60, lookupsMax: 30, lookupsPerHourMax: 500, windowSeconds: 600 },
    loopbackLimits: {
      generatesMax: 1_000,
      writesMax: 10_000,
      lookupsMax: 1_000,
      lookupsPerHourMax: 500,
      windowSeconds: 600,
    },
    timeoutMs: 20_000,
    secureCookies: 'unless-loopback',
    cookieSecrets: ['demo-secret'],
  })
})

test('what is given counts, whatever the default is', () => {
  const given = {
    publicServiceUrl: 'https://public.example',
    path: '/checks',
    publicPath: '/shop/checks',
    testScenarios: true,
    requireStart: true,
    webhookSecrets: [createWebhookSecret()],
    compress: false,
    exposeReport: 'matched' as const,
    reopenMinutes: 5,
    trustedHops: 1,
    forwardedHeader: 'forwarded' as const,
    origins: ['https://www.lender.example'],
    secureCookies: false,
    timeoutMs: 1_000,
    clock: () => 7,
  }
  const bureaus = ['equifax', 'acme', 'equifax']
  const cookieSecret = ['new ', 'old '].map((word) => word.repeat(10))
  const settings = readOptions({ ...good, ...given, bureaus, cookieSecret, fetch }, {})
  expect(settings).toMatchObject({ ...given, bureaus: ['equifax', 'acme'], cookieSecrets: cookieSecret })
  expect(settings.transport).not.toBe(nodeTransport)
})

const numbers: [option: string, least: number, most: number][] = [
  ['reopenMinutes', 0, 60],
  ['trustedHops', 0, 10],
  ['timeoutMs', 1, 200_000],
  ['limits.generatesMax', 0, 1_000_000_000],
  ['limits.writesMax', 0, 1_000_000_000],
  ['limits.lookupsMax', 0, 1_000_000_000],
  ['limits.lookupsPerHourMax', 0, 100_000],
  ['limits.windowSeconds', 1, 1_000_000_000],
]
test.each(numbers)('%s is a whole number from %i to %i', (option, least, most) => {
  const [name = '', limit] = option.split('.')
  const readNumber = (value: number) => {
    const change = limit === undefined ? { [name]: value } : { limits: { [limit]: value } }
    const settings = readOptions(Object.assign({ ...good }, change), {})
    return Object.entries(limit === undefined ? settings : settings.limits).find(
      ([key]) => key === (limit ?? name),
    )?.[1]
  }
  expect([readNumber(least), readNumber(most)]).toEqual([least, most])
  for (const value of [least - 1, most + 1, least + 0.5]) {
    expect(() => readNumber(value)).toThrow(`\`${option}\` must be a whole number from ${least} to ${most}`)
  }
})

test.each([
  ['while developing', {}, undefined, true],
  ['not in tests', { NODE_ENV: 'test' }, undefined, false],
  ['not in production', production, undefined, false],
  ['unless it is switched off', {}, false, false],
  ['wherever it is switched on', production, true, true],
])('the doctor looks at the set-up %s', (_when, environment, doctor, expected) => {
  const change = doctor === undefined ? {} : { doctor }
  expect(readOptions({ ...good, ...change }, environment).doctor).toBe(expected)
})

test.each([
  ['https://service.example/', 'https://service.example'],
  ['https://service.example//', 'https://service.example'],
  ['http://service.example:8080', 'http://service.example:8080'],
])('the service at %s is called at %s', (service, url) => {
  expect(readOptions({ ...good, service }, {}).serviceUrl).toBe(url)
})

test('a value that is a function waits for the first request, and one is enough', () => {
  const service = () => 'https://service.example'
  const credentials = () => ({ clientId: 'demo-lender', clientSecret: 'demo-secret' })
  expect([{ service }, { credentials }, {}].map((change) => isLazy({ ...good, ...change }))).toEqual([
    true,
    true,
    false,
  ])
})

test('in production cookies are always secure, whatever host the request seems to come to', () => {
  expect(readOptions(good, production).secureCookies).toBe(true)
})

test('in production no caller counts as a developer', () => {
  const { limits, loopbackLimits } = readOptions(good, production)
  expect(loopbackLimits).toEqual(limits)
})

test('as many hops as there can be, and origins of several shops', () => {
  const several = { trustedHops: 10, origins: ['https://www.lender.example', 'http://localhost:3000'] }
  expect(readOptions({ ...good, ...several }, {})).toMatchObject(several)
})

test('a limit may be nothing at all, a cookie secret just long enough, and one bureau is enough', () => {
  const nothing = { generatesMax: 0, writesMax: 0, lookupsMax: 0 }
  const cookieSecret = 'x'.repeat(32)
  const bureaus = ['experian']
  const settings = readOptions({ ...good, limits: nothing, cookieSecret, bureaus }, {})
  const { limits, cookieSecrets } = settings
  expect(settings.bureaus).toEqual(bureaus)
  expect(limits).toMatchObject(nothing)
  expect(cookieSecrets).toEqual([cookieSecret])
})

describe('a mistake is named at the start, with what to write instead', () => {
  // Plain JavaScript can pass anything.
  const rows: [string, object, RegExp][] = [
    [
      'no service',
      { service: undefined },
      /`service` must be the address .* \(is the environment variable set\?\), not undefined$/,
    ],
    ['a service that is no address', { service: 'service.example' }, /`service`/],
    ['a service with credentials in it', { service: 'https://user:pass@service.example' }, /`service`/],
    ['a service with a user in it', { service: 'https://user@service.example' }, /`service`/],
    ['a service with a password in it', { service: 'https://:pass@service.example' }, /`service`/],
    ['a service with a query', { service: 'https://service.example/?tenant=a' }, /`service`/],
    ['a service with a fragment', { service: 'https://service.example/#top' }, /`service`/],
    ['a service that is no text', { service: 5 }, /`service` must be the address of the service .*, not 5$/],
    ['another scheme', { service: 'file:///etc/passwd' }, /`service`/],
    [
      'no tenant',
      { tenantId: undefined },
      /`tenantId` must be a text \(is the environment variable set\?\), not undefined$/,
    ],
    ['an empty tenant', { tenantId: ' ' }, /`tenantId`/],
    [
      'no credentials',
      { credentials: undefined },
      /`credentials` must be \{ clientId, clientSecret \}, .*, not undefined$/,
    ],
    ['no secret', { credentials: { clientId: 'a' } }, /`credentials.clientSecret`/],
    ['a mount without a slash', { path: 'credit-reports' }, /`path` must begin with a slash/],
    ['a mount with one at its end', { path: '/credit-reports/' }, /`path`/],
    ['the root as mount', { path: '/' }, /`path`/],
    ['a mount that climbs', { path: '/a/../b' }, /`path`/],
    ['no bureaus', { bureaus: [] }, /`bureaus` must list at least one bureau, such as \['equifax'\]/],
    ['one bureau that is no list', { bureaus: 'equifax' }, /`bureaus` must list/],
    ['a bureau without a name', { bureaus: ['equifax', ''] }, /`bureaus` must list/],
    ['a bureau that is a number', { bureaus: [5] }, /`bureaus` must list/],
    ['more hops than anybody has', { trustedHops: 11 }, /`trustedHops` must be a whole number from 0 to 10/],
    ['hops that are no number', { trustedHops: true }, /`trustedHops` must be a whole number/],
    ['an origin with a path', { origins: ['https://lender.example/shop'] }, /`origins`/],
    ['one origin that is no list', { origins: 'https://lender.example' }, /`origins` must be a list/],
    ['an origin that is no address', { origins: ['lender.example'] }, /`origins` must be a list/],
    [
      'one webhook secret that is no list',
      { webhookSecrets: createWebhookSecret() },
      /`webhookSecrets` must be a list/,
    ],
    ['a webhook secret that is a number', { webhookSecrets: [5] }, /`webhookSecrets` must be a list/],
    ['a webhook secret that is none', { webhookSecrets: ['secret'] }, /`webhookSecrets` must be a list such as/],
    ['a cookie secret that is a number', { cookieSecret: 5 }, /`cookieSecret` must have at least 32/],
    ['a short cookie secret', { cookieSecret: 'short' }, /`cookieSecret` must have at least 32/],
    ['one short cookie secret among long ones', { cookieSecret: ['x'.repeat(32), 'short'] }, /`cookieSecret`/],
    ['an empty list of cookie secrets', { cookieSecret: [] }, /`cookieSecret`/],
    ['a cookie secret one too short', { cookieSecret: 'x'.repeat(31) }, /`cookieSecret`/],
    ['no time at all', { timeoutMs: 0 }, /`timeoutMs`/],
    [
      'a word for what the browser gets that is none',
      { exposeReport: 'all' },
      /`exposeReport` must be one of full, matched, summary, none/,
    ],
    ['a header that is none of the two', { forwardedHeader: 'X-Real-IP' }, /`forwardedHeader` must be one of/],
    [
      'a branch that is none',
      { test: 'maybe' },
      /`test` must be true, false or one of allow, challenge, block, not "maybe"$/,
    ],
    ['a limit that is no number', { limits: { generatesMax: '5' } }, /`limits.generatesMax` must be a whole number/],
    [
      'a limit by another name',
      { limits: { generateMax: 5 } },
      /there is no option `limits.generateMax`: write `limits.generatesMax`$/,
    ],
    ['an option in other letters', { onreport: () => {} }, /there is no option `onreport`: write `onReport`/],
    ['an option that does not exist', { onReports: () => {} }, /there is no option `onReports`: write `onReport`$/],
    ['an option of every object', { toString: () => '' }, /there is no option `toString`/],
    ['a hook that is no function', { onReport: 'https://lender.example/hook' }, /`onReport` must be a function/],
    ['a switch that is a text', { testScenarios: 'false' }, /`testScenarios` must be true or false, and no text/],
    ['cookies that are a text', { secureCookies: 'false' }, /`secureCookies` must be true or false/],
    ['a clock that stands still', { clock: 0 }, /`clock` must be a function/],
    ['limits that are a number', { limits: 5 }, /`limits` must be an object such as .*, not 5$/],
    ['limits that are null', { limits: null }, /`limits` must be an object .*, or be left out, not null$/],
    ['a report to expose that is null', { exposeReport: null }, /`exposeReport` must be one of .*, not null$/],
    ['a report to expose that is false', { exposeReport: false }, /`exposeReport` must be one of .*, not false$/],
    ['a report to expose that is empty', { exposeReport: '' }, /`exposeReport` must be one of .*, not an empty text$/],
    ['a hook that is null', { onReport: null }, /`onReport` must have a value, or be left out, not null$/],
    ['a bureau with a slip', { bureaus: ['equifaxx'] }, /`bureaus` .* write 'equifax', not "equifaxx"$/],
    ['a bureau in capitals', { bureaus: ['Experian'] }, /`bureaus` .* write 'experian', not "Experian"$/],
    ['a tenant that is a path', { tenantId: 'a/b' }, /`tenantId` must have letters, .* not "a\/b"$/],
    ['a service with a path', { service: 'https://service.example/v1' }, /`service` .* without a path.*, not "https:/],
    ['a service with spaces around it', { service: ' https://service.example ' }, /`service`/],
    ['a folder that is not there', { previousFiles: '/nope' }, /`previousFiles` must be a folder .*, not "\/nope"$/],
    ['no folder at all', { widgetFiles: 5 }, /`widgetFiles` must be a folder that exists, not 5$/],
    [
      'credentials by another name',
      { credentials: { clientID: 'a', clientSecret: 'b' } },
      /there is no option `credentials.clientID`: write `credentials.clientId`/,
    ],
    ['hops that are a text', { trustedHops: '1' }, /`trustedHops` must be a whole number from 0 to 10, not "1"$/],
    ['a window of nothing', { limits: { windowSeconds: 0 } }, /`limits.windowSeconds`/],
  ]
  test.each(rows)('%s', (_what, change, message) => {
    expect(() => readOptions(Object.assign({ ...good }, change), {})).toThrow(message)
  })

  test.each(rows.filter(([, change]) => !('service' in change || 'credentials' in change)))(
    '%s, also where service and credentials come later',
    (_what, change, message) => {
      const later = {
        service: () => 'https://service.example',
        credentials: () => ({ clientId: 'demo-lender', clientSecret: 'demo-secret' }),
      }
      expect(() => createTenantProxy(Object.assign({ ...good, ...later }, change))).toThrow(message)
    },
  )

  test.each([undefined, null, 'https://service.example', 5, []])('%j is no options', (options) => {
    const create: (options: unknown) => unknown = createTenantProxy as never
    expect(() => create(options)).toThrow(/^createTenantProxy: its options must be an object such as .*, not /)
  })

  test('and no proxy is made', () => {
    expect(() => createTenantProxy({ ...good, tenantId: '' })).toThrow(/`tenantId`/)
  })

  test('never with the secret in it', () => {
    for (const wrong of [
      { cookieSecret: 'short-secret' },
      { webhookSecrets: ['short-secret'] },
      { credentials: { clientId: 5, clientSecret: 'short-secret' } },
      { service: 'https://user:short-secret@service.example' },
    ]) {
      const read = () => readOptions(Object.assign({ ...good }, wrong), {})
      expect(read).toThrow('createTenantProxy')
      expect(read).not.toThrow('secret@')
      expect(read).not.toThrow('short-secret')
    }
  })
})

describe('in production', () => {
  test.each([
    ['test scenarios are refused', { testScenarios: true }, /`testScenarios` must be off/],
    ['plain HTTP is refused', { service: 'http://service.example' }, /`service` must begin with https/],
  ])('%s', (_what, change, message) => {
    expect(() => readOptions({ ...good, ...change }, production)).toThrow(message)
    expect(() => readOptions({ ...good, ...change }, {})).not.toThrow()
  })

  test.each(['http://127.0.0.1:4100', 'http://localhost:4100', 'http://[::1]:4100'])(
    '%s beside it is fine',
    (service) => {
      expect(readOptions({ ...good, service }, production).serviceUrl).toBe(service)
    },
  )
})

describe('values that come with the first request', () => {
  const asked = new Request('https://shop.lender.example/credit-reports/current')

  test('nothing is asked for while a build imports the module', async () => {
    const seen: string[] = []
    const proxy = createTenantProxy({
      service: () => {
        seen.push('service')
        return 'http://127.0.0.1:1'
      },
      tenantId: 'demo-lender',
      credentials: () => {
        seen.push('credentials')
        return { clientId: 'demo-lender', clientSecret: 'demo-secret' }
      },
    })
    expect(proxy.path).toBe('/credit-reports')
    await proxy.drain()
    expect(seen).toEqual([])
    expect((await proxy(asked)).status).toBe(200)
    await proxy(asked)
    expect(seen.toSorted()).toEqual(['credentials', 'service'])
  })

  test('a value that is missing then is reported, and no page is half working', async () => {
    const problems: string[] = []
    const proxy = createTenantProxy({
      service: () => '',
      tenantId: 'demo-lender',
      credentials: () => ({ clientId: 'demo-lender', clientSecret: 'demo-secret' }),
      onEvent: (event) => event.type === 'misconfigured' && problems.push(event.problem),
    })
    expect((await proxy(asked)).status).toBe(503)
    expect(problems[0]).toMatch(/^createTenantProxy: `service`/)
  })
})

test.each([
  [true, { branch: 'challenge' }],
  ['challenge', { branch: 'challenge' }],
  ['allow', { branch: 'allow' }],
  ['block', { branch: 'block' }],
  [false, null],
] as const)('test mode %s plays %j', (given, story) => {
  expect(readOptions({ ...good, test: given }, {}).test).toEqual(story)
})
