// State that a browser carries for us between two pages: encrypted, so that it can neither be read nor changed, and for
// a while.
import { EncryptJWT, errors, type JWTPayload, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'

type Options = { keys: KeyList; clock: Clock; seconds: number }

export function createSealer<Schema extends z.ZodMiniType<JWTPayload>>(
  schema: Schema,
  { keys, clock, seconds }: Options,
) {
  async function openWith(key: Uint8Array, sealed: string): Promise<z.infer<Schema> | null> {
    try {
      const { payload } = await jwtDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
        currentDate: new Date(clock()),
      })
      const read = z.safeParse(schema, payload)
      return read.success ? read.data : null
    } catch (error) {
      if (error instanceof errors.JOSEError) return null
      throw error
    }
  }

  return {
    seal: (content: z.infer<Schema>): Promise<string> =>
      new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(clock() / 1000) + seconds)
        .encrypt(keys[0]),

    /** Null for anything we did not seal, and for what has expired. */
    async open(sealed: string | undefined): Promise<z.infer<Schema> | null> {
      if (sealed === undefined) return null
      const opened = await Promise.all(keys.map((key) => openWith(key, sealed)))
      return opened.find((content) => content !== null) ?? null
    },
  }
}
