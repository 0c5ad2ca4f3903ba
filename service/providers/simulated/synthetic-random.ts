/** Numbers that look random and are the same every time for the same seed, on every machine and Node version. */
export type Random = {
  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** That many decimal digits. */
  digits(count: number): string
}

export function createRandom(seed: string): Random {
  const next = mulberry32(fnv1a(seed))
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    digits: (count) => {
      let digits = ''
      while (digits.length < count) digits += between(0, 9)
      return digits
    },
  }
}

// Neither is for secrets: both are small, fast and fixed for good, which is all that invented people need.

/** FNV-1a over UTF-16 units. */
function fnv1a(seed: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < seed.length; index++) hash = Math.imul(hash ^ seed.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
