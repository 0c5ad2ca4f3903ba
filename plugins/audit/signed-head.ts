// The head of a chain, signed with the service's signing key: a JWS that anyone checks with the published keys.
import { CompactSign, compactVerify, errors } from 'jose'
import * as z from 'zod/mini'
import { SIGNING_ALGORITHM, type SigningKeys } from '../../service/tokens/signing-keys.ts'

const TYPE = 'audit-head'
const LENGTH_MAX = 4_096

/** The signed content. `tenantId` is empty for the installation's chain. */
const Head = z.object({
  tenantId: z.string(),
  /** The newest link. */
  position: z.int(),
  hash: z.string(),
  /** The newest link that was deleted after its time; 0 and empty where none was. The chain begins behind it. */
  deletedPosition: z.int(),
  deletedHash: z.string(),
  /** When it was signed. */
  at: z.string(),
})
export type Head = z.infer<typeof Head>

export type HeadKeys = Pick<SigningKeys, 'current' | 'findKept'>

export async function signHead(keys: HeadKeys, head: Head): Promise<string> {
  const { id, privateKey } = await keys.current()
  return new CompactSign(new TextEncoder().encode(JSON.stringify(head)))
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: id })
    .sign(privateKey)
}

/** Null: no head that a key of this installation signed. */
export async function readHead(keys: Pick<HeadKeys, 'findKept'>, jws: string): Promise<Head | null> {
  if (jws.length > LENGTH_MAX) return null
  try {
    const { payload, protectedHeader } = await compactVerify(
      jws,
      async ({ kid }) => {
        const key = kid === undefined ? null : await keys.findKept(kid)
        if (key === null) throw new errors.JWKSNoMatchingKey()
        return key
      },
      { algorithms: [SIGNING_ALGORITHM] },
    )
    if (protectedHeader.typ !== TYPE) return null
    const read = z.safeParse(Head, JSON.parse(new TextDecoder().decode(payload)))
    return read.success ? read.data : null
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) return null
    throw error
  }
}
