import { deriveKeys } from '../keys.ts'
import { openSigningKeys } from '../tokens/signing-keys.ts'
import { type Command, requireNoMoreWords } from './command.ts'

export const rotateKeysCommand: Command = {
  name: 'keys rotate',
  usage: '[--now]',
  summary: 'makes a new signing key; with --now the old ones and their tokens are worth nothing within a minute',
  options: { now: { type: 'boolean' } },
  role: 'operator',
  async run(input) {
    requireNoMoreWords(input, 0)
    const { options, config, database, nowMs, print } = input
    const wrappingKey = deriveKeys(config.secretKey).signing
    const keys = await openSigningKeys({ database, wrappingKey, clock: () => nowMs })
    const { id, signsFromMs } = await keys.rotate({ now: options.now === true })
    print(`key ${id} signs from ${new Date(signsFromMs).toISOString()}`)
    return 0
  },
}
