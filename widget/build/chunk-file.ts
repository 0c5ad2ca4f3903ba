/** So much of a digest tells one version of a chunk from every other. */
const DIGEST_SHOWN_LENGTH = 10

/**
 * The file a chunk is in: the bundler's `./check.js` with a part of its digest (SHA-384 in base64), so that it can be
 * cached for ever.
 */
export function chunkFile(file: string, digest: string): string {
  return file.replace(/^\.\/(.+)\.js$/, `$1.${digest.slice(0, DIGEST_SHOWN_LENGTH).replace(/\W/g, '-')}.js`)
}
