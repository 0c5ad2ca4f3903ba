// Every header of an answer that a caller could use, described once.
import { KEY_REUSED_HEADER, REPLAYED_HEADER } from '../contract/idempotency.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../contract/tenant-proxy.ts'
import type { JsonObject } from './component.ts'

type HeaderWords = [sentence: string, type: 'integer' | 'string', example: string | number]

const HEADERS = {
  'X-Request-Id': [
    'The id of this request in logs; quote it when you ask for help.',
    'string',
    '019a8756-1b27-7c3e-9f21-aa6bd2f0c3e1',
  ],
  'RateLimit-Limit': ['Requests the caller may make in a window.', 'integer', 600],
  'RateLimit-Remaining': ['Requests left in this window.', 'integer', 598],
  'RateLimit-Reset': ['Seconds until the window is over.', 'integer', 42],
  'RateLimit-Policy': ['The limit and its window in one line.', 'string', '600;w=60'],
  'Retry-After': ['Seconds after which to try again; absent when trying again cannot help.', 'integer', 2],
  'WWW-Authenticate': ['The way to authenticate.', 'string', 'Bearer'],
  Allow: ['The methods that are possible here.', 'string', 'GET, POST'],
  Location: ['The address to go to next.', 'string', '/console'],
  'Set-Cookie': [
    'Cookies that no script can read: `HttpOnly; SameSite=Lax`, and `Secure` where the service is reached by https.',
    'string',
    '__Host-access=eyJhbGciOiJFUzI1NiJ9.e30.c2ln; Path=/; HttpOnly; Secure; SameSite=Lax',
  ],
  ETag: ['The identifier of exactly these bytes; send it back as `If-None-Match`.', 'string', '"Zk3pQ9mX2vB7tR1s-br"'],
  'Content-Location': [
    'The address at which exactly these bytes stay for good, for `integrity`.',
    'string',
    '/v1/fingerprints/device@Zk3pQ9mX2vB7tR1s',
  ],
  'X-Integrity': [
    'The value for the `integrity` attribute of a script tag.',
    'string',
    'sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC',
  ],
  'Access-Control-Allow-Origin': ['The page that may read the answer: any.', 'string', '*'],
  [CHALLENGE_EXPIRES_IN_HEADER]: [
    'Whole seconds until the open challenge expires; 0 on a repeated answer whose challenge is over. Absent when there is none.',
    'integer',
    300,
  ],
  [REPLAYED_HEADER]: ['`true` when this repeats the first answer.', 'string', 'true'],
  [KEY_REUSED_HEADER]: ['`true` when the key was used with another body or owner; use a new key.', 'string', 'true'],
} satisfies { [name: string]: HeaderWords }

const EVERYWHERE = ['X-Request-Id']
export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy']

/** For `components.headers`. */
export function describeHeaders(): JsonObject {
  return Object.fromEntries(
    Object.entries<HeaderWords>(HEADERS).map(([name, [description, type, example]]) => [
      name,
      { description, schema: { type }, example },
    ]),
  )
}

/** For the `headers` of an answer: those of every answer, and these. */
export function refsTo(names: readonly string[]): JsonObject {
  return Object.fromEntries(
    [...EVERYWHERE, ...names].map((name) => {
      if (!(name in HEADERS)) throw new Error(`openapi: there is no header ${name}`)
      return [name, { $ref: `#/components/headers/${name}` }]
    }),
  )
}
