// Where the provider keeps what it must remember between two requests. Ids are kept as digests and contents sealed: from
// the table alone a code can neither be used nor traced to a person.
import { createHash } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { seal, unseal } from '../../kit/seal.ts'
import type { Database } from '../../service/store/database.ts'

type RecordOptions = {
  database: Database
  clock: Clock
  keys: KeyList
  /** What to throw when something that counts once is used a second time. */
  alreadyUsed: () => Error
}

type RecordRow = { key_digest: string; wrapped_key: Uint8Array; content: Uint8Array; consumed_at_ms: number | null }
type Payload = { [key: string]: unknown }

export const PROVIDER_PLACE = 'provider'

/** An adapter as `oidc-provider` wants one, for each kind of record. */
export function createRecords({ database, clock, keys, alreadyUsed }: RecordOptions) {
  const digest = (kind: string, id: unknown) =>
    typeof id === 'string' ? createHash('sha256').update(`${kind}\n${id}`).digest('base64url') : null

  function read(row: RecordRow | null): Payload | undefined {
    if (row === null) return undefined
    const { key_digest, wrapped_key, content, consumed_at_ms } = row
    const sealed = { wrappedKey: wrapped_key, content }
    const payload: Payload = JSON.parse(unseal(keys, { tenantId: PROVIDER_PLACE, rowId: key_digest }, sealed))
    return consumed_at_ms === null ? payload : { ...payload, consumed: Math.floor(consumed_at_ms / 1000) }
  }

  return (model: string) => ({
    async upsert(id: string, payload: Payload, expiresInSeconds: number): Promise<void> {
      const keyDigest = digest(model, id)
      if (keyDigest === null) throw new TypeError('a record needs an id')
      const sealed = seal(keys, { tenantId: PROVIDER_PLACE, rowId: keyDigest }, JSON.stringify(payload))
      // Each write also deletes what has expired.
      await database.run('DELETE FROM provider_record WHERE expires_at_ms <= ?', clock())
      await database.run(
        `INSERT INTO provider_record (key_digest, model, grant_digest, uid_digest, wrapped_key, content, expires_at_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (key_digest) DO UPDATE SET grant_digest = excluded.grant_digest, uid_digest = excluded.uid_digest,
           wrapped_key = excluded.wrapped_key, content = excluded.content, expires_at_ms = excluded.expires_at_ms`,
        keyDigest,
        model,
        digest('grant', payload.grantId),
        model === 'Session' ? digest('uid', payload.uid) : null,
        sealed.wrappedKey,
        sealed.content,
        clock() + expiresInSeconds * 1000,
      )
    },

    async find(id: string) {
      return read(
        await database.first<RecordRow>(
          'SELECT * FROM provider_record WHERE key_digest = ? AND expires_at_ms > ?',
          digest(model, id),
          clock(),
        ),
      )
    },

    async findByUid(uid: string) {
      return read(
        await database.first<RecordRow>(
          'SELECT * FROM provider_record WHERE uid_digest = ? AND model = ? AND expires_at_ms > ?',
          digest('uid', uid),
          model,
          clock(),
        ),
      )
    },

    findByUserCode: async () => undefined,

    /** Once, however many ask at the same moment. */
    async consume(id: string): Promise<void> {
      const consumed = await database.run(
        'UPDATE provider_record SET consumed_at_ms = ? WHERE key_digest = ? AND consumed_at_ms IS NULL',
        clock(),
        digest(model, id),
      )
      if (consumed === 0) throw alreadyUsed()
    },

    async destroy(id: string): Promise<void> {
      await database.run('DELETE FROM provider_record WHERE key_digest = ?', digest(model, id))
    },

    async revokeByGrantId(grantId: string): Promise<void> {
      await database.run('DELETE FROM provider_record WHERE grant_digest = ?', digest('grant', grantId))
    },
  })
}
