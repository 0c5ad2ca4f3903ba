// The operator's commands about keys: those that sign tokens, and SECRET_KEY.

import { printRows } from '../../kit/command-line.ts'
import type { KeyList } from '../../kit/keys.ts'
import { keyId } from '../../kit/seal.ts'
import type { Command } from '../../service/command.ts'
import { deriveKeys } from '../../service/keys.ts'
import type { SealedTable } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import { openSigningKeys } from '../../service/tokens/signing-keys.ts'
import { countByKey, rewrapTable } from './rewrap.ts'

const rotateKeysCommand: Command = {
  name: 'keys rotate',
  usage: '[--now]',
  summary: 'Make a new signing key; with --now the old ones and their tokens stop working within a minute',
  role: 'operator',
  isFinal: ({ options }) => options.now === true,
  async run(input) {
    const { options, config, act, database, nowMs, print } = input
    const wrappingKeys = deriveKeys(config.secretKeys).signing
    const keys = await openSigningKeys({ database, wrappingKeys, clock: () => nowMs })
    const { id, signsFromMs } = await keys.rotate(act, { now: options.now === true })
    print(`key ${id} signs from ${new Date(signsFromMs).toISOString()}`)
    return 0
  },
}

/** `sealed`: every table there is that holds something sealed. */
export function createKeyCommands(sealed: readonly SealedTable[]): readonly Command[] {
  return [
    rotateKeysCommand,
    {
      name: 'keys list',
      usage: '[--json]',
      summary: 'Show how much each key in SECRET_KEY seals; a key that seals nothing can be removed',
      role: 'reader',
      async run(input) {
        const { rows, unknown } = await listKeys(input.database, sealed, input.config.secretKeys)
        printRows(input, KEY_COLUMNS, rows)
        return unknown === 0 ? 0 : 1
      },
    },
    {
      name: 'keys rewrap',
      usage: '',
      summary:
        'Seal everything under the first key in SECRET_KEY, in small steps, beside running services; can be interrupted and run again',
      role: 'operator',
      async run(input) {
        const { act, database, print } = input
        // One audit line stands for all the steps, and is written before the first.
        await act.note('begun', { isFailure: false })
        const { secretKeys } = input.config
        for (const table of sealed) {
          const { counts, unknown } = await countByKey(database, table, secretKeys)
          const older = counts.slice(1).reduce((sum, many) => sum + many, 0)
          if (unknown > 0) print(`${table.name}: ${unknown} are under a key that is not in SECRET_KEY`)
          if (unknown > 0) return 1
          const onStep = (done: number) => print(`${table.name}: ${done} of ${older}`)
          await rewrapTable(database, table, { secretKeys, onStep })
        }
        const { rows, older } = await listKeys(database, sealed, secretKeys)
        printRows(input, KEY_COLUMNS, rows)
        if (older > 0)
          print('a service still seals under an older key: put the new one first everywhere, then run this again')
        if (older === 0) await act.note('done', { isFailure: false })
        return older === 0 ? 0 : 1
      },
    },
  ]
}

const KEY_COLUMNS = ['place', 'key', 'role', 'holds'] as const

async function listKeys(database: Database, sealed: readonly SealedTable[], secretKeys: KeyList) {
  const found = await Promise.all(
    sealed.map(async (table) => ({ name: table.name, ...(await countByKey(database, table, secretKeys)) })),
  )
  const tell = (countOf: (counted: (typeof found)[number]) => number) =>
    found.map((counted) => `${countOf(counted)} ${counted.name}`).join(', ')
  const rows: { [column in (typeof KEY_COLUMNS)[number]]: string }[] = secretKeys.map((key, index) => ({
    place: String(index + 1),
    key: keyId(key).toString('hex'),
    role: index === 0 ? 'seals' : 'opens',
    holds: tell(({ counts }) => counts[index] ?? 0),
  }))
  const unknown = found.reduce((sum, counted) => sum + counted.unknown, 0)
  if (unknown > 0)
    rows.push({ place: '-', key: '-', role: 'not in SECRET_KEY', holds: tell((counted) => counted.unknown) })
  const older = found.flatMap(({ counts }) => counts.slice(1)).reduce((sum, many) => sum + many, 0)
  return { rows, unknown, older }
}
