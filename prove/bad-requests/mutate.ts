// Ways to spoil a request. Every choice comes from one seed, so that a breach can be played again.

export type Random = {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  pick<T>(items: readonly [T, ...T[]]): T
}

/** Small, fast and good enough to choose between mistakes (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: (items) => items[below(items.length)] ?? items[0] }
}

/** Values that a careless or hostile caller puts where something else belongs. */
const ODDITIES: readonly [unknown, ...unknown[]] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53 + 2,
  1e308,
  '',
  ' ',
  'x'.repeat(300),
  'x'.repeat(5_000),
  'a\0b',
  '\ud800',
  '\udc00\ud800',
  '１２３４５６',
  '\u202e\u200b\ufeff',
  "'; DROP TABLE wallet; --",
  '{{7*7}}',
  '../../etc/passwd',
  '%00',
  [],
  [[]],
  [null],
  {},
  { length: 1 },
  { toString: 'x' },
  '2026-02-30',
  '9999-12-31',
  '-000001-01-01',
  'NaN',
  '+44770090012345678',
]

/** A copy of the value with one thing in it wrong. */
export function spoil(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return spoilList(value, random)
  if (typeof value === 'object' && value !== null) return spoilObject(value, random)
  return random.pick(ODDITIES)
}

function spoilList(list: readonly unknown[], random: Random): unknown {
  const at = random.below(list.length)
  switch (random.below(5)) {
    case 0:
      return random.pick(ODDITIES)
    case 1:
      return [...list, random.pick(ODDITIES)]
    case 2:
      return Array(1 + random.below(40)).fill(list[at] ?? null)
    default:
      return list.map((item, index) => (index === at ? spoil(item, random) : item))
  }
}

function spoilObject(object: object, random: Random): unknown {
  const names = Object.keys(object)
  const name = names[random.below(names.length)] ?? 'x'
  const entries = Object.entries(object)
  switch (random.below(8)) {
    case 0:
      return random.pick(ODDITIES)
    case 1:
      return Object.fromEntries(entries.filter(([each]) => each !== name))
    case 2:
      return { ...object, [name]: random.pick(ODDITIES) }
    case 3:
      return {
        ...object,
        [random.pick(['__proto__', 'constructor', 'toString', 'x'.repeat(200), ''])]: random.pick(ODDITIES),
      }
    default:
      return Object.fromEntries(entries.map(([each, item]) => [each, each === name ? spoil(item, random) : item]))
  }
}

/** The bytes of a body that is wrong before anyone looks at its fields, most of the time. */
export function spoilText(text: string, random: Random): string | Uint8Array<ArrayBuffer> {
  const at = random.below(text.length + 1)
  switch (random.below(9)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}${random.pick(['\0', '"', '{', '}', ',', '\\u', '\n', '1e', '\ud83d'])}${text.slice(at)}`
    case 2:
      return '['.repeat(1 + random.below(5_000))
    case 3:
      return '{"a":'.repeat(1 + random.below(2_000))
    case 4:
      return `{"__proto__":${text},"test":true,"test":false}`
    case 5:
      return new Uint8Array([0xff, 0xfe, 0xc3, 0x28, random.below(256)])
    case 6:
      return ' '.repeat(65_530 + random.below(12)) + text.slice(0, 1)
    case 7:
      return text.replace(/"/g, random.pick(["'", '', '“']))
    default:
      return ''
  }
}
