// The ways a caller can authenticate.
import type { JsonObject } from './component.ts'
import type { Operation } from './operation.ts'
import { SCOPE_MEANINGS } from './scopes.ts'

export function securitySchemes(publicUrl: string | undefined): JsonObject {
  // Browsers keep the prefixed names only where they came by https.
  const prefix = publicUrl?.startsWith('http:') ? '' : '__Host-'
  const base = publicUrl ?? ''
  return {
    token: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'A token from `POST /v1/oauth/token`, good for 15 minutes.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: `${prefix}access`,
      description:
        'The cookie of a person who signed in. What changes something must come from a page of this service: `Origin` is checked.',
    },
    oauth: {
      type: 'oauth2',
      description: 'The same tokens, for tools that fetch them themselves.',
      flows: {
        clientCredentials: { tokenUrl: `${base}/v1/oauth/token`, scopes: { ...SCOPE_MEANINGS } },
      },
    },
    refresh: {
      type: 'apiKey',
      in: 'cookie',
      name: `${prefix}refresh`,
      description: 'The cookie that renews a person’s session.',
    },
    clientSecret: { type: 'http', scheme: 'basic', description: 'An API client’s id and secret.' },
    metricsToken: { type: 'http', scheme: 'bearer', description: '`METRICS_TOKEN` of the service.' },
  }
}

/** For the `security` of an operation: any one of these will do. */
export function describeSecurity({ rule, schemes }: Operation): JsonObject[] {
  if (schemes) return schemes.map((scheme) => (scheme === 'none' ? {} : { [scheme]: [] }))
  if (rule.who === 'anyone') return []
  if (rule.who === 'person' || rule.who === 'member') return [{ session: [] }, { token: [] }]
  return [{ token: [] }, { session: [] }, { oauth: rule.who === 'tenant' ? [rule.scope] : [] }]
}
