import type { CryptoKey } from 'jose'

/** How this service is registered there. */
export const CLIENT: { clientId: string; clientSecret: string }

export function startOpenIdProvider(options?: { port?: number }): Promise<{
  issuer: string
  /** What is wrong with the next ID tokens: other claims, another key. */
  bent: { claims: { [name: string]: unknown }; key: CryptoKey | null }
  stop(): Promise<void>
}>
