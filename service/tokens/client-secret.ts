// Making, keeping and comparing the secrets of API clients.
import { createHash, randomBytes } from 'node:crypto'
import { isSameSecret } from '../../kit/keys.ts'

const SECRET_BYTES = 32

/** 256 random bits, in letters that need no escaping in a form, a header or a shell. */
export function newClientSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

/**
 * The digest that is stored. A fast hash is enough: 256 random bits cannot be guessed, however quickly a guess is
 * checked.
 */
export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret, 'utf8').digest('hex')
}

/**
 * The digest that the secret has, or null. Compares with every one, to the end, in a time that says nothing about how
 * close the guess was.
 */
export function findDigest(secret: string, digests: readonly string[]): string | null {
  const digested = digestSecret(secret)
  // A client that does not exist costs a comparison too.
  const candidates = digests.length > 0 ? digests : [NO_SECRET]
  const matches = candidates.map((digest) => isSameSecret(digested, digest))
  return matches.includes(true) ? digested : null
}

/** No secret is known to have this digest. */
const NO_SECRET = '0'.repeat(64)
