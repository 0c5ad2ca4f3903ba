// Text that is served as it is: compressed when first asked for, named by its hash, 304 for a caller that has it.
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context } from 'hono'
import { chooseEncoding, type Encoding, matchesEtag } from '../../kit/headers.ts'

export type PreparedText = {
  /** SHA-384 of the text, in base64. */
  digest: string
  /** The first characters of the digest, fit for an address. */
  hash: string
  bodies: { [encoding in Encoding]: Uint8Array<ArrayBuffer> }
}

const HASH_LENGTH = 16
/** For text that is made while requests wait: milliseconds for 300 kB, where the best takes half a second. */
export const RUN_TIME_QUALITY = 5

/** `quality` is Brotli's. @default the best */
export function prepareText(text: string, quality = constants.BROTLI_MAX_QUALITY): PreparedText {
  const identity = new Uint8Array(Buffer.from(text, 'utf8'))
  const digest = createHash('sha384').update(identity).digest()
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
    [constants.BROTLI_PARAM_QUALITY]: quality,
  }
  let gzip: Uint8Array<ArrayBuffer> | undefined
  let br: Uint8Array<ArrayBuffer> | undefined
  return {
    digest: digest.toString('base64'),
    hash: digest.toString('base64url').slice(0, HASH_LENGTH),
    bodies: {
      identity,
      get gzip() {
        gzip ??= new Uint8Array(gzipSync(identity))
        return gzip
      },
      get br() {
        br ??= new Uint8Array(brotliCompressSync(identity, { params }))
        return br
      },
    },
  }
}

export function sendPrepared(
  context: Context,
  { hash, bodies }: PreparedText,
  headers: { [name: string]: string },
): Response {
  const encoding = chooseEncoding(context.req.header('Accept-Encoding'))
  const etag = `"${hash}-${encoding}"`
  const all = {
    ...headers,
    ETag: etag,
    Vary: 'Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  }
  const isKnown = matchesEtag(context.req.header('If-None-Match'), etag)
  return isKnown ? context.body(null, 304, all) : context.body(bodies[encoding], 200, all)
}
