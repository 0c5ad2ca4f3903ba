import { BUREAUS } from '../contract/credit-report.ts'
import type { Branch } from '../contract/generate.ts'
import { PROXY_PATH } from '../contract/proxy-path.ts'
import type { Scenario } from '../contract/tenant-proxy.ts'
import type { ForwardedHeader } from '../kit/client-address.ts'
import { isLoopbackHost } from '../kit/network.ts'
import { readWebhookSecret } from '../kit/webhook-signature.ts'
import { fetchTransport, nodeTransport } from './client/transport.ts'
import type { Credentials, Limits, TenantProxyOptions } from './options.ts'

/** Which test-mode story a request plays; null is real. */
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
const COOKIE_SECRET_LENGTH_MIN = 32
const HOPS_MAX = 10
const LIMIT_MAX = 1_000_000_000
const LOOKUPS_PER_HOUR_MAX = 100_000
const FORWARDED_HEADERS: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded']

/** The options once everything in them is a value. */
type GivenOptions = Omit<TenantProxyOptions, 'service' | 'credentials'> & { service: string; credentials: Credentials }

/** True when some options are known only at the first request. */
export function isLazy({ service, credentials }: TenantProxyOptions): boolean {
  return typeof service === 'function' || typeof credentials === 'function'
}

/** Where the proxy is mounted; known before anything else. */
export function readMountPath({ path = PROXY_PATH }: Pick<TenantProxyOptions, 'path'>): string {
  return readPath('path', path)
}

function valuesOf(options: TenantProxyOptions): GivenOptions {
  const { service, credentials } = options
  return {
    ...options,
    service: typeof service === 'function' ? service() : service,
    credentials: typeof credentials === 'function' ? credentials() : credentials,
  }
}

/** Checks the options and fills in the rest. A mistake throws at once, in words that say what to write instead. */
export function readOptions(given: TenantProxyOptions, environment = process.env) {
  const options = valuesOf(given)
  const isProduction = environment.NODE_ENV === 'production'
  requireKnown(options, OPTIONS)
  requireKnown(options.limits ?? {}, LIMITS, 'limits.')
  const fetch = readFunction('fetch', options.fetch)
  const testScenarios = readFlag('testScenarios', options.testScenarios) ?? false
  const path = readMountPath(options)
  const serviceUrl = readServiceUrl('service', options.service, isProduction)
  const { clientId, clientSecret } = options.credentials ?? {}
  if (isProduction && testScenarios) {
    mistake('testScenarios', 'be off when NODE_ENV is production: it would let anyone choose how a check ends')
  }
  return {
    /** Without a slash at its end. */
    serviceUrl,
    publicServiceUrl: readServiceUrl('publicServiceUrl', options.publicServiceUrl ?? serviceUrl, isProduction),
    tenantId: readName('tenantId', options.tenantId),
    credentials: {
      clientId: readName('credentials.clientId', clientId),
      clientSecret: readName('credentials.clientSecret', clientSecret),
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
      options.exposeReport && readOneOf('exposeReport', options.exposeReport, ['full', 'matched', 'summary', 'none']),
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
    widgetFiles: options.widgetFiles,
    previousFiles: options.previousFiles,
    doctor: readFlag('doctor', options.doctor) ?? (!isProduction && environment.NODE_ENV !== 'test'),
    clock: readFunction('clock', options.clock) ?? Date.now,
    transport: fetch ? fetchTransport(fetch) : nodeTransport,
    isProduction,
  }
}

function mistake(option: string, expected: string): never {
  throw new TypeError(`createTenantProxy: \`${option}\` must ${expected}`)
}

function requireKnown(given: object, known: object, prefix = ''): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const meant = Object.keys(known).find((name) => name.toLowerCase() === unknown.toLowerCase())
  const hint = meant === undefined ? '' : `: write \`${prefix}${meant}\``
  throw new TypeError(`createTenantProxy: there is no option \`${prefix}${unknown}\`${hint}`)
}

// Options often come from the environment, by way of JavaScript: what the types forbid does arrive.
function readFlag(option: string, value: boolean | undefined): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  return mistake(option, 'be true or false, and no text')
}

function readFunction<Given>(option: string, value: Given): Given {
  return value === undefined || typeof value === 'function' ? value : mistake(option, 'be a function')
}

function readName(option: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  return mistake(option, 'be a text; is the environment variable set?')
}

function readServiceUrl(option: string, value: unknown, isProduction: boolean): string {
  if (!value) return mistake(option, 'be an address such as https://service.example; is the environment variable set?')
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  const isPlain = url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.search && !url.hash
  if (!isPlain || url.username || url.password) return mistake(option, 'be an address such as https://service.example')
  if (isProduction && url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return mistake(option, 'begin with https:// in production: the client secret travels over it')
  }
  return url.href.replace(/(?<!\/)\/+$/, '')
}

function readPath(option: string, value: string): string {
  if (/^(?:\/[\w.~-]+)+$/.test(value) && new URL(value, 'http://mount').pathname === value) return value
  return mistake(option, 'begin with a slash and not end with one, such as /credit-reports')
}

function readBureaus(bureaus: readonly string[]): readonly string[] {
  const areNames =
    Array.isArray(bureaus) &&
    bureaus.length > 0 &&
    bureaus.every((bureau) => typeof bureau === 'string' && bureau !== '')
  return areNames ? [...new Set(bureaus)] : mistake('bureaus', `list at least one bureau, such as ['${BUREAUS[0]}']`)
}

function readWebhookSecrets(secrets: readonly string[]): readonly string[] {
  const areSecrets =
    Array.isArray(secrets) && secrets.every((each) => typeof each === 'string' && readWebhookSecret(each))
  return areSecrets ? secrets : mistake('webhookSecrets', 'be a list such as [`whsec_…`], as the service gave them')
}

function readOrigins(origins: readonly string[]): readonly string[] {
  const areOrigins =
    Array.isArray(origins) && origins.every((each) => URL.canParse(each) && new URL(each).origin === each)
  return areOrigins ? origins : mistake('origins', `be a list such as ['https://www.lender.example'], without paths`)
}

function readWholeNumber(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  return mistake(option, `be a whole number from ${least} to ${most}`)
}

function readOneOf<Choice extends string>(option: string, value: Choice, choices: readonly Choice[]): Choice {
  return choices.includes(value) ? value : mistake(option, `be one of ${choices.join(', ')}`)
}

function readTest(test: boolean | Branch): TestStory {
  if (typeof test === 'boolean') return test ? { branch: 'challenge' } : null
  return { branch: readOneOf('test', test, ['allow', 'challenge', 'block']) }
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

function readCookieSecrets(
  secret: string | readonly string[] | undefined,
  clientSecret: string | undefined,
): [string, ...string[]] {
  if (secret === undefined) return [readName('credentials.clientSecret', clientSecret)]
  const [first, ...older] = [secret].flat()
  const isLong = (each: unknown) => typeof each === 'string' && each.length >= COOKIE_SECRET_LENGTH_MIN
  if (first !== undefined && [first, ...older].every(isLong)) return [first, ...older]
  return mistake('cookieSecret', `have at least ${COOKIE_SECRET_LENGTH_MIN} characters, every one of them`)
}
