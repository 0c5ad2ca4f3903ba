/** So much of a digest tells one version of a chunk from every other. */
const DIGEST_SHOWN_LENGTH = 10

/** The file a chunk is in, named after its digest (SHA-384 in base64, as the manifest has it), so that it can be cached for ever. */
export function chunkFile(name: string, digest: string): string {
  return `${name}.${digest.slice(0, DIGEST_SHOWN_LENGTH).replace(/\W/g, '-')}.js`
}
