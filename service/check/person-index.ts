// A person as a keyed index: no name is kept to search or to count by.
import type { GenerateRequest } from '../../contract/generate.ts'
import { foldName } from '../../kit/fold-name.ts'
import { keyedIndex } from '../../kit/keys.ts'

export type Person = Pick<GenerateRequest, 'lastName' | 'dateOfBirth' | 'addresses'>

/** One person, for one lender: the same for everyone a bureau would take for the same. */
export function personIndexOf(key: Uint8Array, tenantId: string, { lastName, dateOfBirth, addresses }: Person): string {
  const current = addresses.find(({ type }) => type === 'current') ?? addresses[0]
  const postcode = foldName(current?.ukAddress.postcode ?? '')
  return keyedIndex(key, 'text person', [tenantId, foldSurname(lastName), dateOfBirth, postcode].join('\n'))
}

const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'prof', 'sir', 'dame', 'lord', 'lady'])

/** Titles and initials in front of a surname do not make another person either. */
export function foldSurname(lastName: string): string {
  const words = lastName.split(/\s/).map(foldName)
  return words.filter((word) => word.length > 1 && !TITLES.has(word)).join('') || words.join('')
}
