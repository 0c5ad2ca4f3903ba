const LABEL = 'credit-report-widget tenant-proxy v1'

type KeyKind = AesKeyGenParams | HmacKeyGenParams

/** A key of its own for each purpose, always the same for the same secret: restarts and several instances agree. */
export async function deriveKey(
  secret: string,
  purpose: string,
  kind: KeyKind,
  usages: KeyUsage[],
): Promise<CryptoKey> {
  const root = await crypto.subtle.importKey('raw', Buffer.from(secret), 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: Buffer.from(`${LABEL} ${purpose}`) }
  return crypto.subtle.deriveKey(hkdf, root, kind, false, usages)
}
