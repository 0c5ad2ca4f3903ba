import { BUREAUS } from '../contract/credit-report.ts'
import type { Branch } from '../contract/generate.ts'
import { PROXY_PATH } from '../contract/proxy-path.ts'
import type { Scenario } from '../contract/tenant-proxy.ts'
import type { ForwardedHeader } from '../kit/client-address.ts'
import { fetchTransport, nodeTransport } from './client/transport.ts'
import { describe, requireNames } from './known-names.ts'
import {
  BY,
  mistake,
  readBureaus,
  readCookieSecrets,
  readFlag,
  readFolder,
  readFunction,
  readOneOf,
  readOrigins,
  readPath,
  readServiceUrl,
  readTenantId,
  readText,
  readWebhookSecrets,
  readWholeNumber,
  requireObject,
} from './option-readers.ts'
import type { Credentials, Limits, TenantProxyOptions } from './options.ts'

/** The test-mode scenario that a request plays; null is real. */
export type TestStory = { branch?: Branch; scenario?: Scenario } | null

/** The options with everything decided. */
export type Settings = ReturnType<typeof readOptions>

/** Every option by its name: a report for `onreport` would be lost without a word. */
const OPTIONS: { [option in keyof Required<TenantProxyOptions>]: true } = {
  service: true,
  tenantId: true,
  credentials: true,
  path: true,
  publicPath: true,
  publicServiceUrl: true,
  bureaus: true,
  test: true,
  testScenarios: true,
  externalReference: true,
  requireStart: true,
  onReport: true,
  onOutcome: true,
  webhookSecrets: true,
  onEvent: true,
  consentRecord: true,
  findAddresses: true,
  exposeReport: true,
  reopenMinutes: true,
  trustedHops: true,
  forwardedHeader: true,
  origins: true,
  limits: true,
  cookieSecret: true,
  secureCookies: true,
  compress: true,
  timeoutMs: true,
  widgetFiles: true,
  previousFiles: true,
  doctor: true,
  clock: true,
  fetch: true,
}
const LIMITS: Limits = { generatesMax: 5, writesMax: 60, lookupsMax: 30, lookupsPerHourMax: 500, windowSeconds: 600 }
const DEVELOPER_LIMITS: Limits = { ...LIMITS, generatesMax: 1_000, writesMax: 10_000, lookupsMax: 1_000 }
const TIMEOUT_MS = 20_000
const REOPEN_MINUTES = 15
/** As long as the cookie knows of a completed check. */
const REOPEN_MINUTES_MAX = 60
const HOPS_MAX = 10
const LIMIT_MAX = 1_000_000_000
const LOOKUPS_PER_HOUR_MAX = 100_000
const EXPOSURES: readonly NonNullable<TenantProxyOptions['exposeReport']>[] = ['full', 'matched', 'summary', 'none']
const BRANCHES: readonly Branch[] = ['allow', 'challenge', 'block']
/** Advice for an option that is an object or was null. */
const EXPECTED = {
  limits: 'be an object such as { generatesMax: 5 }',
  credentials: 'be { clientId, clientSecret }, or a function that returns them',
  exposeReport: `be one of ${EXPOSURES.join(', ')}`,
}
const FORWARDED_HEADERS: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded']

/** The options once everything in them is a value. */
type GivenOptions = Omit<TenantProxyOptions, 'service' | 'credentials'> & { service: string; credentials: Credentials }

/** True when some options are known only at the first request. */
export function isLazy({ service, credentials }: TenantProxyOptions): boolean {
  return typeof service === 'function' || typeof credentials === 'function'
}

/** The path of the mount; known before anything else. */
export function readMountPath({ path = PROXY_PATH }: Pick<TenantProxyOptions, 'path'>): string {
  return readPath('path', path)
}

/** Stands for what is known only at the first request, while everything else is checked. */
const LATER = { service: 'https://later.example', credentials: { clientId: 'later', clientSecret: 'later' } }

/** Throws for every mistake that can be seen before the first request. */
export function checkOptions(options: TenantProxyOptions, environment = process.env): void {
  requireOptions(options)
  const { service, credentials } = options
  readValues(
    {
      ...options,
      service: typeof service === 'function' ? LATER.service : service,
      credentials: typeof credentials === 'function' ? LATER.credentials : credentials,
    },
    environment,
  )
}

/** Checks the options and fills in the rest. A mistake throws at once, in words that say what to write instead. */
export function readOptions(options: TenantProxyOptions, environment = process.env) {
  requireOptions(options)
  const { service, credentials } = options
  return readValues(
    {
      ...options,
      service: typeof service === 'function' ? service() : service,
      credentials: typeof credentials === 'function' ? credentials() : credentials,
    },
    environment,
  )
}

function requireOptions(options: unknown): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return
  const expected = 'its options must be an object such as { service, tenantId, credentials }'
  throw new TypeError(`${BY}: ${expected}, not ${describe(options)}`)
}

function readValues(options: GivenOptions, environment: typeof process.env) {
  const isProduction = environment.NODE_ENV === 'production'
  requireNames(options, Object.keys(OPTIONS), { by: BY })
  for (const [option, value] of Object.entries(options)) {
    // `null` is not `undefined`: what was meant to be set would be off without a word.
    const expected = Object.entries(EXPECTED).find(([name]) => name === option)?.[1] ?? 'have a value'
    if (value === null) mistake(option, `${expected}, or be left out`, value)
  }
  requireObject('limits', options.limits ?? {}, { known: LIMITS, expected: EXPECTED.limits })
  requireObject('credentials', options.credentials, { known: LATER.credentials, expected: EXPECTED.credentials })
  const fetch = readFunction('fetch', options.fetch)
  const testScenarios = readFlag('testScenarios', options.testScenarios) ?? false
  const path = readMountPath(options)
  const serviceUrl = readServiceUrl('service', options.service, isProduction)
  const { clientId, clientSecret } = options.credentials
  if (isProduction && testScenarios) {
    mistake('testScenarios', 'be off when NODE_ENV is production: it would let anyone choose how a check ends', true)
  }
  return {
    /** Without a slash at its end. */
    serviceUrl,
    publicServiceUrl: readServiceUrl('publicServiceUrl', options.publicServiceUrl ?? serviceUrl, isProduction),
    tenantId: readTenantId(options.tenantId),
    credentials: {
      clientId: readText('credentials.clientId', clientId),
      clientSecret: readText('credentials.clientSecret', clientSecret),
    },
    path,
    publicPath: readPath('publicPath', options.publicPath ?? path),
    bureaus: readBureaus(options.bureaus ?? BUREAUS),
    test: readTest(options.test ?? false),
    testScenarios,
    requireStart: readFlag('requireStart', options.requireStart) ?? false,
    externalReference: readFunction('externalReference', options.externalReference),
    onReport: readFunction('onReport', options.onReport),
    onOutcome: readFunction('onOutcome', options.onOutcome),
    webhookSecrets: readWebhookSecrets(options.webhookSecrets ?? []),
    onEvent: readFunction('onEvent', options.onEvent),
    /** Undefined: unless the host compresses by itself. */
    compress: readFlag('compress', options.compress),
    consentRecord: readFunction('consentRecord', options.consentRecord),
    findAddresses: readFunction('findAddresses', options.findAddresses),
    /** Undefined: as the service can tell. */
    exposeReport:
      options.exposeReport === undefined ? undefined : readOneOf('exposeReport', options.exposeReport, EXPOSURES),
    reopenMinutes: readWholeNumber('reopenMinutes', options.reopenMinutes ?? REOPEN_MINUTES, 0, REOPEN_MINUTES_MAX),
    trustedHops: readWholeNumber('trustedHops', options.trustedHops ?? 0, 0, HOPS_MAX),
    forwardedHeader: readOneOf('forwardedHeader', options.forwardedHeader ?? 'x-forwarded-for', FORWARDED_HEADERS),
    origins: readOrigins(options.origins ?? []),
    limits: readLimits({ ...LIMITS, ...options.limits }),
    /** For consumers on this machine: outside production that is a developer. */
    loopbackLimits: readLimits({ ...(isProduction ? LIMITS : DEVELOPER_LIMITS), ...options.limits }),
    cookieSecrets: readCookieSecrets(options.cookieSecret, clientSecret),
    secureCookies: readFlag('secureCookies', options.secureCookies) ?? (isProduction || ('unless-loopback' as const)),
    timeoutMs: readWholeNumber('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, 10 * TIMEOUT_MS),
    widgetFiles: readFolder('widgetFiles', options.widgetFiles),
    previousFiles: readFolder('previousFiles', options.previousFiles),
    doctor: readFlag('doctor', options.doctor) ?? (!isProduction && environment.NODE_ENV !== 'test'),
    /** True where the first request asks the service what would keep checks from beginning. */
    looksAhead: readFlag('doctor', options.doctor) ?? environment.NODE_ENV !== 'test',
    clock: readFunction('clock', options.clock) ?? Date.now,
    transport: fetch ? fetchTransport(fetch) : nodeTransport,
    isProduction,
  }
}

function readTest(test: boolean | Branch): TestStory {
  if (typeof test === 'boolean') return test ? { branch: 'challenge' } : null
  if (BRANCHES.includes(test)) return { branch: test }
  return mistake('test', `be true, false or one of ${BRANCHES.join(', ')}`, test)
}

function readLimits({ generatesMax, writesMax, lookupsMax, lookupsPerHourMax, windowSeconds }: Limits): Limits {
  return {
    generatesMax: readWholeNumber('limits.generatesMax', generatesMax, 0, LIMIT_MAX),
    writesMax: readWholeNumber('limits.writesMax', writesMax, 0, LIMIT_MAX),
    lookupsMax: readWholeNumber('limits.lookupsMax', lookupsMax, 0, LIMIT_MAX),
    lookupsPerHourMax: readWholeNumber('limits.lookupsPerHourMax', lookupsPerHourMax, 0, LOOKUPS_PER_HOUR_MAX),
    windowSeconds: readWholeNumber('limits.windowSeconds', windowSeconds, 1, LIMIT_MAX),
  }
}
