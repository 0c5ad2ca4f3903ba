import type { Survivors } from './survivor.ts'

export const kit: Survivors = {
  'kit/address-limit.ts': [
    {
      source: 'const waitSeconds = limits[index]?.(`${scope} ${owner}`) ?? 0',
      change: '0 → 1',
      why: 'There is a limit for each of the three owners; the default is there for the type.',
    },
  ],
  'kit/back-off.ts': [
    {
      source: 'const leftMs = (entry?.endsAtMs ?? 0) - clock()',
      change: '0 → 1',
      why: 'Both are the beginning of 1970.',
    },
  ],
  'kit/bounded-map.ts': [
    {
      source: 'if (!oldest.done) entries.delete(oldest.value)',
      change: '!oldest.done → true',
      why: 'A map that is too large has an oldest key; the condition is there for the type.',
    },
  ],
  'kit/choose-encoding.ts': [
    {
      source: 'return { name: name.trim(), quality: quality === undefined ? 1 : Number(quality) }',
      change: '1 → 2',
      why: 'Only whether it is above 0 counts.',
    },
  ],
  'kit/client-address.ts': [
    {
      source: 'for (let at = value.length - 1; at >= 0; at -= 1) {',
      change: '- → +',
      why: 'Behind the end there is nothing to split at.',
    },
  ],
  'kit/network.ts': [
    {
      source: "if (!plain.includes(':')) return plain",
      change: "!plain.includes(':') → false",
      why: 'What follows gives an IPv4 address back as it is, only slower.',
    },
  ],
  'kit/outgoing.ts': [
    {
      source: "const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []",
      change: "'code' in error && typeof error.code === 'string' → true",
      why: 'What is no text is in no list of codes; the condition is there for the type.',
    },
    {
      source: "const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []",
      change: '&& → ||',
      why: 'What is no text is in no list of codes; the condition is there for the type.',
    },
  ],
  'kit/parse-json.ts': [
    {
      source: 'for (let index = 0; index < bytes.length; index += 1) {',
      change: '< → <=',
      why: 'Behind the end there is no bracket.',
    },
    {
      source: 'const byte = bytes[index] ?? 0',
      change: '0 → 1',
      why: 'The index is always inside; the default is there for the type.',
    },
  ],
  'kit/random.ts': [
    {
      source: 'if (randomUsed + bytes > random.length) {',
      change: 'randomUsed + bytes > random.length → true',
      why: 'Fresh random bytes every time: the same, only slower.',
    },
    {
      source: 'if (randomUsed + bytes > random.length) {',
      change: '> → >=',
      why: 'The last bytes of the pool are thrown away instead of used.',
    },
    { source: 'randomUsed = 0', change: '0 → 1', why: 'The first byte of the pool is thrown away instead of used.' },
    {
      source: 'random.fill(0, randomUsed, randomUsed + bytes)',
      change: 'random.fill(0, randomUsed, randomUsed + bytes) → ;',
      why: 'No byte is used twice either way; it only keeps used ones out of a memory dump.',
    },
    {
      source: 'random.fill(0, randomUsed, randomUsed + bytes)',
      change: '0 → 1',
      why: 'What a used byte is overwritten with is all the same.',
    },
  ],
}
