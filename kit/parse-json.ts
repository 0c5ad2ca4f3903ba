/** Deeper than any honest answer, and shallow enough that parsing stays linear. */
export const JSON_DEPTH_MAX = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses untrusted bytes. Throws on anything that is not JSON in UTF-8, or is nested too deep. */
export function parseJson(bytes: Uint8Array): unknown {
  // Two million brackets fit in two megabytes and would hold the event loop for seconds.
  if (isDeeperThan(bytes, JSON_DEPTH_MAX)) throw new SyntaxError('nested too deep')
  return JSON.parse(utf8.decode(bytes))
}

function isDeeperThan(bytes: Uint8Array, depthMax: number): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (inString) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1
      if (depth > depthMax) return true
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1
  }
  return false
}
