import { ONLY_LOGGED, type Survivors } from './survivor.ts'

export const serviceTexts: Survivors = {
  'service/texts/claims.ts': [
    {
      source: 'return row?.texts ?? 0',
      change: '0 → 1',
      why: 'A count always returns a row; the default is there for the type.',
    },
  ],
  'service/texts/code.ts': [
    {
      source: 'for (let round = 0; ; round += 1) {',
      change: '1 → 2',
      why: 'A second round needs eight unfair words in one digest, which is one code in 10^29.',
    },
    {
      source: 'for (let offset = 0; offset < mac.length; offset += 4) {',
      change: '< → <=',
      why: 'The end of a digest is reached as rarely.',
    },
    {
      source: "if (word < FAIR_BELOW) return String(word % CODES).padStart(CODE_LENGTH, '0')",
      change: '< → <=',
      why: 'Only the word 4294000000 itself differs, one in four thousand million: no challenge is known that has it.',
    },
  ],
  'service/texts/routes.ts': [
    {
      source: "log.info('receipt', { provider, messageId, outcome: settled ? fate : 'settled before' })",
      change: 'settled → true',
      why: ONLY_LOGGED,
    },
    {
      source: "log.info('receipt', { provider, messageId, outcome: settled ? fate : 'settled before' })",
      change: 'settled → false',
      why: ONLY_LOGGED,
    },
  ],
  'service/texts/settings.ts': [
    {
      source: "const [name = '', list = ''] = word.split('=', 2)",
      change: '2 → 3',
      why: 'A third part is refused a line further down.',
    },
    {
      source: 'return windowMs > 0 && windowMs <= WINDOW_MAX_MS ? { same, max: Number(max), windowMs } : null',
      change: '0 → 1',
      why: 'The shortest window there can be is a minute.',
    },
  ],
  'service/texts/text-traits.ts': [
    {
      source: 'const prefix = mobileNumber.slice(0, -PREFIX_OMITS_DIGITS)',
      change: '0 → 1',
      why: 'Every number begins with the same plus sign.',
    },
  ],
}
