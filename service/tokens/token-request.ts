// A request to the token endpoint, read strictly: RFC 6749, sections 2.3.1 and 4.4.
import { readBody } from '../http/read-body.ts'

const BODY_BYTES_MAX = 8_192
const FORM = 'application/x-www-form-urlencoded'

/** A refusal in the words of RFC 6749: its clients read `error`, not our `code`. */
export class OAuthError extends Error {
  readonly error: OAuthErrorCode
  readonly status: 400 | 401 | 429
  readonly headers: { [name: string]: string }

  constructor(error: OAuthErrorCode, description: string, headers: { [name: string]: string } = {}) {
    super(description)
    this.name = 'OAuthError'
    this.error = error
    this.status = STATUS[error]
    this.headers = headers
  }
}

type OAuthErrorCode = keyof typeof STATUS

const STATUS = {
  invalid_request: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  invalid_client: 401,
  // The RFC has no word for it; this one is registered for "not now, later".
  temporarily_unavailable: 429,
} as const

export type TokenRequest = {
  clientId: string
  clientSecret: string
  /** Absent: everything the client may have. */
  scopes: readonly string[] | undefined
}

export async function readTokenRequest(request: Request): Promise<TokenRequest> {
  const form = await readForm(request)
  const grantType = only(form, 'grant_type')
  const scope = only(form, 'scope')
  const authorization = request.headers.get('Authorization')
  const credentials = readCredentials(authorization, only(form, 'client_id'), only(form, 'client_secret'))
  // PostgreSQL refuses NUL in a parameter.
  if (credentials.clientId.includes('\0')) throw invalidClient()
  if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is required')
  if (grantType !== 'client_credentials') {
    throw new OAuthError('unsupported_grant_type', 'grant_type must be client_credentials')
  }
  return { ...credentials, scopes: scope?.split(' ').filter(Boolean) }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (mediaType !== FORM) throw new OAuthError('invalid_request', `the body must be ${FORM}`)
  return new URLSearchParams(new TextDecoder().decode(await readBody(request, BODY_BYTES_MAX)))
}

/** A parameter without a value counts as absent; one given twice is refused. */
function only(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name)
  if (values.length > 1) throw new OAuthError('invalid_request', `${name} must not be given more than once`)
  return values[0] || undefined
}

function readCredentials(authorization: string | null, bodyId: string | undefined, bodySecret: string | undefined) {
  const basic = authorization === null ? null : readBasic(authorization)
  if (basic && (bodySecret !== undefined || (bodyId !== undefined && bodyId !== basic.clientId))) {
    throw new OAuthError('invalid_request', 'give the credentials once, in the header or in the body')
  }
  if (basic) return basic
  if (bodyId === undefined || bodySecret === undefined) throw invalidClient()
  return { clientId: bodyId, clientSecret: bodySecret }
}

function readBasic(authorization: string): { clientId: string; clientSecret: string } {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1]
  const pair = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  if (colon <= 0) throw invalidClient()
  return { clientId: formDecode(pair.slice(0, colon)), clientSecret: formDecode(pair.slice(colon + 1)) }
}

/** Both halves are form-encoded before they are put together; a client that forgot to is understood where it can be. */
function formDecode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}

/** The same for a client that does not exist, a secret that is wrong and credentials that are not there. */
export function invalidClient(): OAuthError {
  return new OAuthError('invalid_client', 'unknown client or wrong secret', {
    'WWW-Authenticate': 'Basic realm="token", charset="UTF-8"',
  })
}
