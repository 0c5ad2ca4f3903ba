// Recognises a check that this browser has already begun with the same details, so that it is not bought twice: a page
// that could not ask how the check stands shows its form again. The ticket carries a keyed hash of the details, never
// the details.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import { foldName } from '../../kit/fold-name.ts'
import { deriveKeyList, keyedIndex } from '../../kit/keys.ts'
import type { Ticket } from './ticket.ts'

const KEY_LABEL = 'credit-report-widget tenant-proxy v1 same check'
const HASH_LENGTH = 22

type Person = Pick<
  ConsumerDetails,
  'firstName' | 'middleName' | 'lastName' | 'dateOfBirth' | 'mobileNumber' | 'email' | 'addresses'
>

export type Details = {
  consumer: Person
  externalReference?: string | undefined
  bureaus: readonly string[]
  test: boolean
}

export type SameCheck = {
  /** A ticket's hash of the details. */
  hash(details: Details): string
  /** This browser's latest check with these details: completed or in progress, and not forgotten. */
  find(tickets: readonly Ticket[], details: Details): Ticket | undefined
}

/** The first secret makes the hash; all of them find, so that a secret can be replaced. */
export function createSameCheck(secrets: readonly [string, ...string[]]): SameCheck {
  const [first, ...older] = deriveKeyList(secrets, KEY_LABEL)
  const hashWith = (key: Uint8Array, details: Details) =>
    keyedIndex(key, 'details', textOf(details)).slice(0, HASH_LENGTH)
  return {
    hash: (details) => hashWith(first, details),
    find(tickets, details) {
      if (tickets.length === 0) return undefined
      const hashes = [first, ...older].map((key) => hashWith(key, details))
      const isSame = ({ about, isForgotten }: Ticket) => about !== undefined && hashes.includes(about) && !isForgotten
      return tickets.find((ticket) => isSame(ticket) && (ticket.status === 'complete' || ticket.status === 'open'))
    },
  }
}

function textOf({ consumer, externalReference = '', bureaus, test }: Details): string {
  const { firstName, middleName = '', lastName, dateOfBirth, mobileNumber = '', email = '', addresses } = consumer
  const { ukAddress } = addresses.find(({ type }) => type === 'current') ?? addresses[0] ?? {}
  return JSON.stringify([
    test,
    externalReference,
    [firstName, middleName, lastName].map(foldName),
    dateOfBirth,
    (ukAddress?.postcode ?? '').replaceAll(' ', ''),
    mobileNumber,
    bureaus.toSorted(),
    // In test mode it chooses the report.
    test ? email : '',
  ])
}
