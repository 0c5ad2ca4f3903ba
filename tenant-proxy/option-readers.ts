// Each reads one kind of option, and throws a `TypeError` that names the option, what was expected and what was given.
import { existsSync } from 'node:fs'
import { BUREAUS } from '../contract/credit-report.ts'
import { isLoopbackHost } from '../kit/network.ts'
import { readWebhookSecret } from '../kit/webhook-signature.ts'
import { describe, kindOf, nearestTo, requireNames } from './known-names.ts'

/** Options whose value no message repeats. */
const SECRETS = ['credentials', 'cookieSecret', 'webhookSecrets']
const COOKIE_SECRET_LENGTH_MIN = 32

export const BY = 'createTenantProxy'

/** `given` is shown unless it may be secret. */
export function mistake(option: string, expected: string, given: unknown): never {
  const shown = SECRETS.some((name) => option.startsWith(name)) ? kindOf(given) : describe(given)
  throw new TypeError(`${BY}: \`${option}\` must ${expected}, not ${shown}`)
}

export function requireObject(
  option: string,
  value: unknown,
  { known, expected }: { known: object; expected: string },
) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) mistake(option, expected, value)
  else requireNames(value, Object.keys(known), { by: BY, prefix: `${option}.` })
}

// Options often come from the environment, by way of JavaScript: what the types forbid does arrive.
export function readFlag(option: string, value: boolean | undefined): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value
  return mistake(option, 'be true or false, and no text', value)
}

export function readFunction<Given>(option: string, value: Given): Given {
  return value === undefined || typeof value === 'function' ? value : mistake(option, 'be a function', value)
}

const IS_SET = 'is the environment variable set?'

export function readText(option: string, value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value
  return mistake(option, `be a text (${IS_SET})`, value)
}

export function readTenantId(value: unknown): string {
  const tenantId = readText('tenantId', value)
  return /^[\w.~-]+$/.test(tenantId)
    ? tenantId
    : mistake('tenantId', 'have letters, digits, `-`, `_` and `.` only', value)
}

export function readServiceUrl(option: string, value: unknown, isProduction: boolean): string {
  const expected = `be the address of the service without a path, such as https://service.example (${IS_SET})`
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  const isPlain = url && /^https?:$/.test(url.protocol) && /^\/*$/.test(url.pathname) && !url.search && !url.hash
  if (!isPlain || url.username || url.password || value !== String(value).trim()) {
    return mistake(option, expected, url?.password ? 'an address with a password' : value)
  }
  if (isProduction && url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return mistake(option, 'begin with https:// in production: the client secret travels over it', value)
  }
  return url.origin
}

export function readPath(option: string, value: unknown): string {
  const isPath = typeof value === 'string' && /^(?:\/[\w.~-]+)+$/.test(value)
  if (isPath && new URL(value, 'http://mount').pathname === value) return value
  return mistake(option, 'begin with a slash and not end with one, such as /credit-reports', value)
}

export function readBureaus(bureaus: readonly string[]): readonly string[] {
  const expected = `list at least one bureau, such as ['${BUREAUS[0]}']`
  if (!Array.isArray(bureaus) || bureaus.length === 0) return mistake('bureaus', expected, bureaus)
  for (const bureau of bureaus) {
    if (typeof bureau !== 'string' || bureau === '') mistake('bureaus', expected, bureau)
    // A service may be set up with bureaus of its own; a name this near to a known one is a slip.
    const near = nearestTo(bureau, BUREAUS)
    if (near !== undefined && near !== bureau) mistake('bureaus', `name bureaus that exist: write '${near}'`, bureau)
  }
  return [...new Set(bureaus)]
}

export function readWebhookSecrets(secrets: readonly string[]): readonly string[] {
  const areSecrets =
    Array.isArray(secrets) && secrets.every((each) => typeof each === 'string' && readWebhookSecret(each))
  return areSecrets
    ? secrets
    : mistake('webhookSecrets', 'be a list such as [`whsec_…`], as the service gave them', secrets)
}

export function readOrigins(origins: readonly string[]): readonly string[] {
  const expected = `be a list such as ['https://www.lender.example'], without paths`
  if (!Array.isArray(origins)) return mistake('origins', expected, origins)
  const wrong = origins.find((each) => !URL.canParse(each) || new URL(each).origin !== each)
  return wrong === undefined ? origins : mistake('origins', expected, wrong)
}

export function readFolder(option: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && existsSync(value)) return value
  return mistake(option, 'be a folder that exists', value)
}

export function readWholeNumber(option: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  return mistake(option, `be a whole number from ${least} to ${most}`, value)
}

export function readOneOf<Choice extends string>(option: string, value: Choice, choices: readonly Choice[]): Choice {
  return choices.includes(value) ? value : mistake(option, `be one of ${choices.join(', ')}`, value)
}

export function readCookieSecrets(
  secret: string | readonly string[] | undefined,
  clientSecret: string | undefined,
): [string, ...string[]] {
  if (secret === undefined) return [readText('credentials.clientSecret', clientSecret)]
  const [first, ...older] = [secret].flat()
  const isLong = (each: unknown) => typeof each === 'string' && each.length >= COOKIE_SECRET_LENGTH_MIN
  if (first !== undefined && [first, ...older].every(isLong)) return [first, ...older]
  return mistake('cookieSecret', `have at least ${COOKIE_SECRET_LENGTH_MIN} characters, every one of them`, secret)
}
