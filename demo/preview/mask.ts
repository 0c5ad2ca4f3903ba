// Hides what is personal in a body, on demand: names stay, values become dots of the same kind.
import { UkAddress } from '../../contract/address.ts'
import { consumerFields } from '../../contract/generate.ts'

/**
 * The consumer's details, by the contract's own names, so that a field added there is hidden here; then what only
 * servers say.
 */
const PERSONAL_FIELDS = new Set([
  ...Object.keys(consumerFields).filter((name) => name !== 'addresses'),
  ...Object.keys(UkAddress.shape),
  'mobileNumberEnding',
  'ipAddress',
  'addressLine1',
  'lines',
  'accountNumber',
  'code',
])
/** An error's `code` is a word of the contract; a security code is digits. */
const securityCode = /^\d+$/

/** The body with personal values hidden; a body that is not JSON comes back as it is. */
export function maskBody(body: string): string {
  const value = parse(body)
  return value === undefined ? body : JSON.stringify(mask(value))
}

/** The body laid out for reading. */
export function layOut(body: string): string {
  const value = parse(body)
  return value === undefined ? body : JSON.stringify(value, null, 2)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isPersonal(name, inner) ? hide(inner) : mask(inner)]),
  )
}

function isPersonal(name: string, value: unknown): boolean {
  if (!PERSONAL_FIELDS.has(name)) return false
  return name !== 'code' || (typeof value === 'string' && securityCode.test(value))
}

function hide(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hide)
  return typeof value === 'string' ? value.replace(/[\p{L}\p{N}]/gu, '•') : value
}
