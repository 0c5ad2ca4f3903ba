// The part of oidc-provider that we use; the package ships no types.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Interaction = {
    uid: string
    prompt: { name: string }
    params: { [name: string]: unknown }
    result?: { [key: string]: unknown }
  }

  class Provider {
    constructor(issuer: string, configuration: object)
    proxy: boolean
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>
    interactionResult(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<string>
    on(event: string, listener: (...values: unknown[]) => void): void
  }

  const interactionPolicy: { base(): { remove(prompt: string): void } }
  const errors: {
    InvalidGrant: new (detail: string) => Error
    SessionNotFound: new (...values: unknown[]) => Error
  }
}
