// The keys that sign tokens. They live in the database, sealed, so that every process and every restart knows the same ones.
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { seal, unseal } from '../secrets/seal.ts'
import type { Database, Row } from '../store/database.ts'
import { newId } from '../store/new-id.ts'

/** P-256: understood by every library a lender might verify with, and quick to check. */
export const SIGNING_ALGORITHM = 'ES256'

/** How often an unknown key id may make us look again: a stranger's tokens must not become queries. */
const RELOAD_MS = 5_000

/** Not a tenant: signing keys belong to the installation. */
const PLACE = 'installation'

export type SigningKeys = {
  /** The key that signs now. */
  current(): Promise<{ id: string; privateKey: CryptoKey; privateJwk: JWK }>
  /** The key a token names, while it may still verify; null for any other. */
  find(id: string): Promise<CryptoKey | null>
  /** What anyone may see: the public halves of every key whose tokens still count. */
  publicKeys(): Promise<JWK[]>
}

export type SigningKeysOptions = { database: Database; wrappingKey: Uint8Array; clock: Clock }

type SigningKey = {
  id: string
  publicJwk: JWK
  publicKey: CryptoKey
  privateKey: CryptoKey | null
  privateJwk: JWK | null
  verifiesUntilMs: number | null
}

/** Makes the first key when there is none. Rejects with `Unsealable` when the database was written under another SECRET_KEY. */
export async function openSigningKeys({ database, wrappingKey, clock }: SigningKeysOptions): Promise<SigningKeys> {
  let keys = await load()
  let loadedAtMs = clock()
  let reloading: Promise<void> | null = null
  if (!keys.some(signs)) {
    await insertKey()
    keys = await load()
  }

  async function load(): Promise<SigningKey[]> {
    const rows = await database.all('SELECT * FROM signing_key ORDER BY created_at_ms DESC, id')
    return Promise.all(rows.map((row) => readKey(row, wrappingKey)))
  }

  /** Loses quietly to another process that inserted one first. */
  async function insertKey(): Promise<void> {
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true })
    const id = newId(clock())
    const sealed = seal(wrappingKey, { tenantId: PLACE, rowId: id }, JSON.stringify(await exportJWK(pair.privateKey)))
    await database.run(
      `INSERT INTO signing_key (id, algorithm, public_jwk, wrapped_key, sealed_private_jwk, created_at_ms)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      SIGNING_ALGORITHM,
      JSON.stringify(await exportJWK(pair.publicKey)),
      sealed.wrappedKey,
      sealed.content,
      clock(),
    )
  }

  /** Another process may have changed the keys since we looked. */
  function refresh(): Promise<void> {
    if (reloading === null && clock() - loadedAtMs >= RELOAD_MS) {
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
    async current() {
      const key = keys.find(signs)
      if (!key?.privateKey || !key.privateJwk) throw new Error('no key signs; at least one always should')
      return { id: key.id, privateKey: key.privateKey, privateJwk: key.privateJwk }
    },
    async find(id) {
      if (!known(id)) await refresh()
      return known(id)?.publicKey ?? null
    },
    async publicKeys() {
      await refresh()
      return keys
        .filter(stillCounts)
        .map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: SIGNING_ALGORITHM, use: 'sig' }))
    },
  }
}

function signs(key: SigningKey): boolean {
  return key.verifiesUntilMs === null
}

const StoredJwk = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.optional(z.string()),
})

async function readKey(row: Row, wrappingKey: Uint8Array): Promise<SigningKey> {
  const id = String(row.id)
  const verifiesUntilMs = row.verifies_until_ms === null ? null : Number(row.verifies_until_ms)
  const { d: _never, ...publicJwk } = StoredJwk.parse(JSON.parse(String(row.public_jwk)))
  // A key that only verifies stays sealed.
  const privateJwk = verifiesUntilMs === null ? unsealJwk(row, wrappingKey) : null
  return {
    id,
    publicJwk,
    publicKey: await importKey(publicJwk),
    privateJwk,
    privateKey: privateJwk && (await importKey(privateJwk)),
    verifiesUntilMs,
  }
}

function unsealJwk(row: Row, wrappingKey: Uint8Array): JWK {
  if (!(row.wrapped_key instanceof Uint8Array) || !(row.sealed_private_jwk instanceof Uint8Array))
    throw new TypeError('not sealed')
  const sealed = { wrappedKey: row.wrapped_key, content: row.sealed_private_jwk }
  const { d, ...jwk } = StoredJwk.parse(
    JSON.parse(unseal(wrappingKey, { tenantId: PLACE, rowId: String(row.id) }, sealed)),
  )
  if (d === undefined) throw new TypeError('the sealed half of a signing key is not private')
  return { ...jwk, d }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, SIGNING_ALGORITHM)
  if (key instanceof Uint8Array) throw new TypeError('a signing key must be a key pair')
  return key
}
