import { BUREAUS } from '../contract/credit-report.ts'
import type { Branch } from '../contract/generate.ts'
import { PROXY_PATH, type Scenario } from '../contract/tenant-proxy.ts'
import type { ForwardedHeader } from './client-address.ts'
import type { Limits, TenantProxyOptions } from './options.ts'
import { fetchTransport, nodeTransport, type Transport } from './transport.ts'

/** Which test-mode story a request plays; null is real. */
export type TestStory = { branch?: Branch; scenario?: Scenario } | null

type Decided =
  | 'tenantId'
  | 'credentials'
  | 'path'
  | 'publicPath'
  | 'publicServiceUrl'
  | 'bureaus'
  | 'testScenarios'
  | 'exposeReport'
  | 'trustedHops'
  | 'forwardedHeader'
  | 'origins'
  | 'timeoutMs'
  | 'clock'
type LeftOpen = 'externalReference' | 'onReport' | 'onEvent' | 'consentRecord' | 'widgetFiles'

/** The options with everything decided. */
export type Settings = Required<Pick<TenantProxyOptions, Decided>> & {
  [option in LeftOpen]: TenantProxyOptions[option] | undefined
} & {
  /** Without a slash at its end. */
  serviceUrl: string
  test: TestStory
  limits: Limits
  cookieSecrets: [string, ...string[]]
  secureCookies: boolean | 'unless-loopback'
  transport: Transport
  isProduction: boolean
}

const LIMITS: Limits = { generatesMax: 5, writesMax: 60, windowSeconds: 600 }
const TIMEOUT_MS = 20_000
const COOKIE_SECRET_LENGTH_MIN = 32
const HOPS_MAX = 10
const LIMIT_MAX = 1_000_000_000
const FORWARDED_HEADERS: readonly ForwardedHeader[] = ['x-forwarded-for', 'forwarded']

/** Checks the options and fills in the rest. A mistake throws at once, in words that say what to write instead. */
export function readOptions(options: TenantProxyOptions, environment = process.env): Settings {
  const isProduction = environment.NODE_ENV === 'production'
  const path = readPath('path', options.path ?? PROXY_PATH)
  const serviceUrl = readServiceUrl('service', options.service, isProduction)
  const { clientId, clientSecret } = options.credentials ?? {}
  if (isProduction && options.testScenarios) {
    mistake('testScenarios', 'be off when NODE_ENV is production: it would let anyone choose how a check ends')
  }
  return {
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
    testScenarios: options.testScenarios ?? false,
    externalReference: options.externalReference,
    onReport: options.onReport,
    onEvent: options.onEvent,
    consentRecord: options.consentRecord,
    exposeReport: readOneOf('exposeReport', options.exposeReport ?? 'full', ['full', 'summary', 'none']),
    trustedHops: readWholeNumber('trustedHops', options.trustedHops ?? 0, 0, HOPS_MAX),
    forwardedHeader: readOneOf('forwardedHeader', options.forwardedHeader ?? 'x-forwarded-for', FORWARDED_HEADERS),
    origins: (options.origins ?? []).map(readOrigin),
    limits: readLimits({ ...LIMITS, ...options.limits }),
    cookieSecrets: readCookieSecrets(options.cookieSecret, clientSecret),
    secureCookies: options.secureCookies ?? (isProduction ? true : 'unless-loopback'),
    timeoutMs: readWholeNumber('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1, 10 * TIMEOUT_MS),
    widgetFiles: options.widgetFiles,
    clock: options.clock ?? Date.now,
    transport: options.fetch ? fetchTransport(options.fetch) : nodeTransport,
    isProduction,
  }
}

function mistake(option: string, expected: string): never {
  throw new TypeError(`createTenantProxy: \`${option}\` must ${expected}`)
}

function readName(option: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  return mistake(option, 'be a text; is the environment variable set?')
}

function readServiceUrl(option: string, value: unknown, isProduction: boolean): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  const isPlain = url && (url.protocol === 'https:' || url.protocol === 'http:') && !url.search && !url.hash
  if (!isPlain || url.username || url.password) return mistake(option, 'be an address such as https://service.example')
  if (isProduction && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return mistake(option, 'begin with https:// in production: the client secret travels over it')
  }
  return url.href.replace(/\/+$/, '')
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}

function readPath(option: string, value: string): string {
  if (/^(?:\/[\w.~-]+)+$/.test(value) && new URL(value, 'http://mount').pathname === value) return value
  return mistake(option, 'begin with a slash and not end with one, such as /credit-reports')
}

function readBureaus(bureaus: readonly string[]): readonly string[] {
  const areNames = bureaus.length > 0 && bureaus.every((bureau) => typeof bureau === 'string' && bureau !== '')
  return areNames ? [...new Set(bureaus)] : mistake('bureaus', `name at least one bureau, such as ${BUREAUS[0]}`)
}

function readOrigin(value: string): string {
  if (URL.canParse(value) && new URL(value).origin === value) return value
  return mistake('origins', 'list origins such as https://www.lender.example, without a path')
}

function readWholeNumber(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  return mistake(option, `be a whole number from ${least} to ${most}`)
}

function readOneOf<Choice extends string>(option: string, value: Choice, choices: readonly Choice[]): Choice {
  return choices.includes(value) ? value : mistake(option, `be one of ${choices.join(', ')}`)
}

function readTest(test: boolean | Branch): TestStory {
  if (typeof test === 'boolean') return test ? {} : null
  return { branch: readOneOf('test', test, ['allow', 'challenge', 'block']) }
}

function readLimits({ generatesMax, writesMax, windowSeconds }: Limits): Limits {
  return {
    generatesMax: readWholeNumber('limits.generatesMax', generatesMax, 0, LIMIT_MAX),
    writesMax: readWholeNumber('limits.writesMax', writesMax, 0, LIMIT_MAX),
    windowSeconds: readWholeNumber('limits.windowSeconds', windowSeconds, 1, LIMIT_MAX),
  }
}

function readCookieSecrets(
  secret: string | readonly string[] | undefined,
  clientSecret: string | undefined,
): [string, ...string[]] {
  if (secret === undefined) return [readName('credentials.clientSecret', clientSecret)]
  const [first, ...older] = typeof secret === 'string' ? [secret] : secret
  if (first !== undefined && [first, ...older].every((each) => each.length >= COOKIE_SECRET_LENGTH_MIN)) {
    return [first, ...older]
  }
  return mistake('cookieSecret', `have at least ${COOKIE_SECRET_LENGTH_MIN} characters, every one of them`)
}
