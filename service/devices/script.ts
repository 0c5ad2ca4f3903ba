// The bytes of the fingerprint script, ready to send: read once, compressed once, named by their hash.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Encoding } from '../../kit/choose-encoding.ts'
import { ConfigError } from '../setting-reader.ts'

export type Script = {
  source: string
  /** The part of a pinned address after the `@`. */
  hash: string
  /** What a lender who pins the script writes into the tag's `integrity`. */
  integrity: string
  bodies: { [encoding in Encoding]: Uint8Array<ArrayBuffer> }
}

export const SCRIPT_PATH = '/v1/fingerprints/device'
export const HASH_SHAPE = '[A-Za-z0-9_-]{16}'

/** The built script, told where it is served: it asks there when it cannot see its own tag. */
export function loadScript(publicUrl: string, source = readBuiltScript()): Script {
  return prepareScript(source.replace('%SERVED_AS%', `${publicUrl}${SCRIPT_PATH}`))
}

export function prepareScript(source: string): Script {
  const identity = new Uint8Array(Buffer.from(source, 'utf8'))
  const digest = createHash('sha384').update(identity).digest()
  return {
    source,
    hash: digest.toString('base64url').slice(0, 16),
    integrity: `sha384-${digest.toString('base64')}`,
    bodies: {
      identity,
      gzip: new Uint8Array(gzipSync(identity, { level: 9 })),
      br: new Uint8Array(
        brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
      ),
    },
  }
}

function readBuiltScript(): string {
  const path = createRequire(import.meta.url).resolve('credit-report-service/device.js')
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new ConfigError('the fingerprint script has not been built: run "npm run build" first')
  }
}
