import type { CryptoKey } from 'jose'

/** The registration of this service there. */
export const CLIENT: { clientId: string; clientSecret: string }

export function startOpenIdProvider(options?: { port?: number }): Promise<{
  issuer: string
  /** The fault of the next ID tokens: other claims, another key. */
  bent: { claims: { [name: string]: unknown }; key: CryptoKey | null }
  stop(): Promise<void>
}>
