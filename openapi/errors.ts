// Every refusal: what it means, an example, the headers it comes with.
import { ERROR_STATUS, type ErrorCode } from '../contract/error.ts'
import type { JsonObject } from './component.ts'
import { refTo } from './describe-schemas.ts'
import { RATE_LIMIT_HEADERS, refsTo } from './headers.ts'
import type { Operation } from './operation.ts'

type Refusal = {
  means: string
  example: string
  /** @default how much of the rate limit is left */
  headers?: string[]
}

const REFUSALS: Record<ErrorCode, Refusal> = {
  'validation-error': {
    means: 'A field is missing or not what was expected; the message names each path.',
    example: 'addresses[0].ukAddress.postcode: must be a UK postcode',
  },
  unauthorized: {
    means: 'There is no token, or it is not valid.',
    example: 'a valid access token is required',
    headers: ['WWW-Authenticate'],
  },
  'insufficient-funds': {
    means: 'The wallet cannot pay for this. Clients accept the code `insufficient-credits` as well.',
    example: 'the wallet has too few credits for this; top it up and try again',
  },
  forbidden: {
    means: 'The token is valid, but not for this tenant or resource.',
    example: 'this token does not give access to that',
    headers: ['WWW-Authenticate', ...RATE_LIMIT_HEADERS],
  },
  'proof-required': {
    means: 'A person proved who they are more than 15 minutes ago; they sign in again, or do it in the console.',
    example: 'sign in again: this needs a sign-in of the last 15 minutes',
  },
  'not-found': {
    means: 'There is nothing at this address, or nothing with this id.',
    example: 'there is nothing at this address',
  },
  'credit-report-not-found': {
    means: 'This tenant has no such report.',
    example: 'there is no credit report with this id',
  },
  'challenge-not-found': {
    means: 'The report has no such challenge.',
    example: 'this credit report has no challenge with this id',
  },
  'method-not-allowed': {
    means: 'The address exists, the method does not.',
    example: 'DELETE is not possible here; use GET, HEAD',
    headers: ['Allow'],
  },
  'request-in-progress': {
    means: 'The first request with this `Idempotency-Key` has not finished; try again shortly.',
    example: 'a request with this Idempotency-Key is still in progress; ask again shortly',
    headers: ['Retry-After', ...RATE_LIMIT_HEADERS],
  },
  'challenge-expired': {
    means: 'The challenge has expired or ended; generate again.',
    example: 'this challenge is over; start a new credit report',
  },
  'payload-too-large': {
    means: 'The body is larger than the route takes: 64 KiB for JSON, 16 KiB for device signals, 8 KiB for forms.',
    example: 'the body must have at most 65536 bytes',
  },
  'unsupported-media-type': {
    means: 'The body is not of the type this route takes.',
    example: 'send the body as application/json in UTF-8, without compression',
  },
  'rate-limited': {
    means:
      'Too many requests, too many checks of one person in a day, or too many texts for one challenge. `Retry-After` says when to ask again, if ever.',
    example: 'more than 600 requests in a minute: wait 42 seconds',
    headers: ['Retry-After', ...RATE_LIMIT_HEADERS],
  },
  'spend-cap-reached': {
    means:
      'The lender’s own cap for this hour or day leaves no room for it; nothing was charged. `Retry-After` lasts until the cap has room; absent when the price is above the cap.',
    example: 'the spend cap for reports in this day is reached',
    headers: ['Retry-After', ...RATE_LIMIT_HEADERS],
  },
  'internal-error': {
    means: 'A fault of the service. Nothing was charged that was not delivered.',
    example: 'something went wrong on our side; the request id names it',
  },
  unavailable: {
    means: 'The service or a provider behind it cannot answer now; ask again after `Retry-After`.',
    example: 'a provider did not answer; nothing was charged, try again',
    headers: ['Retry-After', ...RATE_LIMIT_HEADERS],
  },
}

/** Every code with its status and meaning, for the reference. */
export function listRefusals(): { code: ErrorCode; status: number; means: string }[] {
  return (Object.keys(REFUSALS) as ErrorCode[]).map((code) => ({
    code,
    status: ERROR_STATUS[code],
    means: REFUSALS[code].means,
  }))
}

const PREFIX = '#/components/responses/'

/** For `components.responses`: those that are named in the paths. */
export function describeRefusals(paths: JsonObject): JsonObject {
  const written = JSON.stringify(paths)
  const named = (Object.keys(REFUSALS) as ErrorCode[]).filter((code) => written.includes(`"${PREFIX}${code}"`))
  return Object.fromEntries(
    named.map((code) => {
      const { means, example, headers = RATE_LIMIT_HEADERS } = REFUSALS[code]
      return [code, answer({ description: means, headers, examples: { [code]: { code, message: example } } })]
    }),
  )
}

/**
 * By status. Codes that share one share an answer and differ by example. `own`: the headers of this operation's alone.
 */
export function describeErrors(
  codes: readonly ErrorCode[],
  own: { [code in ErrorCode]?: string[] } = {},
): { [status: string]: JsonObject } {
  const headersOf = (code: ErrorCode) => [...(REFUSALS[code].headers ?? RATE_LIMIT_HEADERS), ...(own[code] ?? [])]
  const byStatus: { [status: string]: ErrorCode[] } = {}
  for (const code of new Set(codes)) {
    byStatus[ERROR_STATUS[code]] = [...(byStatus[ERROR_STATUS[code]] ?? []), code]
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, [first, ...others]]) => {
      if (first && others.length === 0 && !own[first]) return [status, { $ref: PREFIX + first }]
      const all = first ? [first, ...others] : others
      return [
        status,
        answer({
          description: all.map((code) => `\`${code}\`: ${REFUSALS[code].means}`).join('\n\n'),
          headers: [...new Set(all.flatMap(headersOf))],
          examples: Object.fromEntries(all.map((code) => [code, { code, message: REFUSALS[code].example }])),
        }),
      ]
    }),
  )
}

export function anyRefusal(): JsonObject {
  return answer({ description: 'Any other refusal.', headers: [], examples: {} })
}

const OAUTH_HEADERS: { [status: string]: string[] } = { 401: ['WWW-Authenticate'], 429: ['Retry-After'] }

/** Refusals in the words of RFC 6749, whose clients read `error`. */
export function describeOAuthErrors(errors: NonNullable<Operation['oauthErrors']>): JsonObject {
  return Object.fromEntries(
    Object.entries(errors).map(([status, meanings]) => [
      status,
      answer({
        schema: 'OAuthError',
        description: Object.entries(meanings)
          .map(([error, [meaning]]) => `\`${error}\`: ${meaning}`)
          .join('\n\n'),
        headers: OAUTH_HEADERS[status] ?? [],
        examples: Object.fromEntries(
          Object.entries(meanings).map(([error, [, example]]) => [error, { error, error_description: example }]),
        ),
      }),
    ]),
  )
}

type RefusalAnswer = {
  description: string
  headers: string[]
  examples: { [name: string]: JsonObject }
  schema?: string
}

function answer({ description, headers, examples, schema = 'ServiceError' }: RefusalAnswer): JsonObject {
  const named = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
  return {
    description,
    headers: refsTo(headers),
    content: {
      'application/json': { schema: refTo(schema), ...(Object.keys(named).length > 0 ? { examples: named } : {}) },
    },
  }
}
