// The keys that sign tokens, and the heads of the audit trail. They live in the database, sealed, so that every process
// and every restart knows the same ones. A key that was replaced verifies no token any more, but stays published for
// what is kept longer.
//
//            rotate                signs from             old one ends
//   old key ───┼── signs ────────────┼── only verifies ─────┤
//   new key    ├── published ────────┼── signs ────────────────▶
//              six minutes: caches of   as long as the last token
//              public keys have it      the old one signed
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { newId } from '../../kit/new-id.ts'
import { seal, Unsealable, unseal } from '../../kit/seal.ts'
import type { Queries, SqlValue, Transactions } from '../store/database.ts'
import type { SigningKeyRow } from './tables.ts'

/** Lifetime of an access token. Short, because a copied token cannot be revoked. */
export const TOKEN_LIFETIME_SECONDS = 900

/** P-256: understood by every library a lender might verify with, and quick to check. */
export const SIGNING_ALGORITHM = 'ES256'

/** The interval at which an unknown key id may cause a query: a stranger's tokens must not become queries. */
const RELOAD_MS = 5_000
/** The maximum age of the list in memory: within it every process learns of a new key. */
const REFRESH_MS = 60_000
/** Time for which a new key is published before it signs: verifiers may cache the keys for five minutes. */
export const PUBLISH_MS = 360_000
/** A key that was replaced goes on verifying for a little longer than its last token is valid. */
const OVERLAP_MS = (TOKEN_LIFETIME_SECONDS + 60) * 1000

/** Not a tenant: signing keys belong to the installation. */
export const SIGNING_KEY_PLACE = 'installation'

export type SigningKeys = Awaited<ReturnType<typeof openSigningKeys>>
type SigningKeysOptions = { database: Queries; wrappingKeys: KeyList; clock: Clock }

type SigningKey = {
  id: string
  publicJwk: JWK
  isWithdrawn: boolean
  publicKey: CryptoKey
  privateKey: CryptoKey
  privateJwk: JWK
  signsFromMs: number
  verifiesUntilMs: number | null
}

/**
 * Makes the first key when there is none. Rejects with `Unsealable` when the database was written under another
 * SECRET_KEY.
 */
export async function openSigningKeys({ database, wrappingKeys, clock }: SigningKeysOptions) {
  let keys = await load()
  let loadedAtMs = clock()
  let reloading: Promise<void> | null = null
  if (!keys.some(({ verifiesUntilMs }) => verifiesUntilMs === null)) {
    await insertKey(database, await makeKey(), 0)
    keys = await load()
  }

  async function load(): Promise<SigningKey[]> {
    const rows = await database.all<SigningKeyRow>(
      'SELECT * FROM signing_key ORDER BY signs_from_ms DESC, created_at_ms DESC, id',
    )
    const read = await Promise.all(
      rows.map((row) =>
        readKey(row, wrappingKeys).catch((error: unknown) => {
          const isOver = row.verifies_until_ms !== null && row.verifies_until_ms <= clock()
          // No token needs it: an installation may have lost the SECRET_KEY of then.
          if (isOver && error instanceof Unsealable) return null
          throw error
        }),
      ),
    )
    return read.filter((key) => key !== null)
  }

  async function makeKey(): Promise<SqlValue[]> {
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
    const id = newId(clock())
    const sealed = seal(
      wrappingKeys,
      { tenantId: SIGNING_KEY_PLACE, rowId: id },
      JSON.stringify(await exportJWK(pair.privateKey)),
    )
    return [id, SIGNING_ALGORITHM, sealed.wrappedKey, sealed.content, clock()]
  }

  /** No-op if another process inserted one first. */
  async function insertKey(queries: Queries, key: SqlValue[], signsFromMs: number): Promise<number> {
    return queries.run(
      `INSERT INTO signing_key (id, algorithm, wrapped_key, sealed_private_jwk, created_at_ms, signs_from_ms)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      ...key,
      signsFromMs,
    )
  }

  /** Another process may have changed the keys since we looked. */
  function refresh(olderThanMs = RELOAD_MS): Promise<void> {
    if (reloading === null && Math.abs(clock() - loadedAtMs) >= olderThanMs) {
      loadedAtMs = clock()
      reloading = load()
        .then((loaded) => {
          keys = loaded
        })
        .finally(() => {
          reloading = null
        })
    }
    return reloading ?? Promise.resolve()
  }

  const stillCounts = (key: SigningKey) => key.verifiesUntilMs === null || clock() < key.verifiesUntilMs
  const known = (id: string) => keys.find((key) => key.id === id && stillCounts(key))

  return {
    /** The key that signs now. */
    async current() {
      await refresh(REFRESH_MS)
      // Newest first; one that is only published does not sign yet.
      const key = keys.find(({ signsFromMs }) => signsFromMs <= clock())
      if (key === undefined) throw new Error('no key signs; at least one always should')
      return { id: key.id, privateKey: key.privateKey, privateJwk: key.privateJwk }
    },
    /** The key a token names, while it may still verify; null for any other. */
    async find(id: string): Promise<CryptoKey | null> {
      await refresh(known(id) ? REFRESH_MS : RELOAD_MS)
      return known(id)?.publicKey ?? null
    },
    /**
     * The key with this id, also when no token of it counts any more; null for any other. For what is kept longer than
     * tokens.
     */
    async findKept(id: string): Promise<CryptoKey | null> {
      const find = () => keys.find((key) => key.id === id)
      await refresh(find() ? REFRESH_MS : RELOAD_MS)
      return find()?.publicKey ?? null
    },
    /** The public halves of every key, but for those that leaked. */
    async publicKeys(): Promise<JWK[]> {
      await refresh()
      return keys
        .filter(({ isWithdrawn }) => !isWithdrawn)
        .map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: SIGNING_ALGORITHM, use: 'sig' }))
    },
    /**
     * Makes a new key. It takes over once everyone has seen it, and no token that is good stops working. With `now`,
     * for a key that has leaked, it takes over at once and tokens of the old keys are refused.
     */
    async rotate(act: Transactions, { now = false } = {}): Promise<{ id: string; signsFromMs: number }> {
      const key = await makeKey()
      const signsFromMs = now ? clock() : clock() + PUBLISH_MS
      await act.transaction(async (queries) => {
        await queries.run(
          `UPDATE signing_key SET verifies_until_ms = ?, withdrawn = ? WHERE verifies_until_ms IS NULL ${now ? 'OR verifies_until_ms > ?' : ''}`,
          now ? clock() : signsFromMs + OVERLAP_MS,
          now ? 1 : 0,
          ...(now ? [clock()] : []),
        )
        if ((await insertKey(queries, key, signsFromMs)) === 0) throw new Error('another rotation came first')
      })
      keys = await load()
      return { id: String(key[0]), signsFromMs }
    },
  }
}

const StoredJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.optional(z.string()),
})

async function readKey(row: SigningKeyRow, wrappingKeys: KeyList): Promise<SigningKey> {
  const privateJwk = unsealJwk(row, wrappingKeys)
  const { d: _never, ...publicJwk } = privateJwk
  return {
    id: row.id,
    publicJwk,
    isWithdrawn: row.withdrawn === 1,
    publicKey: await importKey(publicJwk),
    privateJwk,
    privateKey: await importKey(privateJwk),
    signsFromMs: row.signs_from_ms,
    verifiesUntilMs: row.verifies_until_ms,
  }
}

function unsealJwk(row: SigningKeyRow, wrappingKeys: KeyList): JWK {
  const sealed = { wrappedKey: row.wrapped_key, content: row.sealed_private_jwk }
  const { d, ...jwk } = StoredJwk.parse(
    JSON.parse(unseal(wrappingKeys, { tenantId: SIGNING_KEY_PLACE, rowId: row.id }, sealed)),
  )
  if (d === undefined) throw new TypeError('the sealed half of a signing key is not private')
  return { ...jwk, d }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM)
  if (key instanceof Uint8Array) throw new TypeError('a signing key must be a key pair')
  return key
}
