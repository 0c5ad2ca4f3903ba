const LENGTH_MAX = 2_000
const FALLBACK = '/console'
/** Any host will do: a path that stays on one made-up host stays on ours. */
const SOMEWHERE = 'https://service.invalid'

/**
 * The path to go to after signing in: one of ours, or the fallback. Only plain paths pass: browsers differ in how they
 * read others.
 */
export function readReturnTo(given: string | undefined): string {
  if (given === undefined || given.length > LENGTH_MAX) return FALLBACK
  // One slash, then neither a slash nor a backslash, which browsers take for one; no character a browser would drop or
  // rewrite.
  if (!/^\/(?![/\\])[!-~]*$/.test(given) || given.includes('\\')) return FALLBACK
  if (!URL.canParse(given, SOMEWHERE)) return FALLBACK
  const { origin, pathname, search, hash } = new URL(given, SOMEWHERE)
  const path = pathname + search + hash
  // Dots may have been resolved away, and a path that then begins with two slashes is a host.
  if (origin !== SOMEWHERE || path.startsWith('//')) return FALLBACK
  // An encoded slash or backslash up front is an open redirect behind a proxy that decodes once more.
  if (/^\/(?:%2f|%5c|%09|%0a|%0d)/i.test(path)) return FALLBACK
  return path
}
