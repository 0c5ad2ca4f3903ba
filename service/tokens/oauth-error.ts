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

export type OAuthErrorCode = keyof typeof STATUS

const STATUS = {
  invalid_request: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  invalid_client: 401,
  // The RFC has no word for it; this one is registered for "not now, later".
  temporarily_unavailable: 429,
} as const
