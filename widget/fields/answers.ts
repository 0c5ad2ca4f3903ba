// Everything the consumer has typed so far, kept in memory only and never lost on the way.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import { type ADDRESS_FIELDS, ADDRESSES_ASKED_MAX, readAddress } from './address.ts'
import { splitDate } from './date.ts'
import { readPerson } from './person.ts'
import type { Fields } from './problem.ts'

export type Answers = {
  person: Fields
  /** Newest first; the first is where the consumer lives now. */
  addresses: Fields[]
  /** The consumer lived outside the UK before the oldest of them. */
  abroadBefore: boolean
}

/** What a lender already knows about the consumer. Everything stays editable. */
export type Prefill = {
  title?: string
  firstName?: string
  middleName?: string
  lastName?: string
  /** YYYY-MM-DD */
  dateOfBirth?: string
  mobileNumber?: string
  email?: string
  /** Newest first. */
  addresses?: PrefillAddress[]
}

export type PrefillAddress = { [field in (typeof ADDRESS_FIELDS)[number]]?: string } & {
  /** When the consumer moved in, YYYY-MM. */
  movedIn?: string
}

export const noAnswers: Answers = { person: {}, addresses: [], abroadBefore: false }

/** Adds what the lender knows wherever the consumer has typed nothing. */
export function prefillAnswers(answers: Answers, prefill: Prefill): Answers {
  const { dateOfBirth, addresses, ...person } = prefill
  const { year, month, day } = readKnownDate(dateOfBirth)
  const list: readonly (PrefillAddress | null)[] = Array.isArray(addresses) ? addresses : []
  const known = list.slice(0, ADDRESSES_ASKED_MAX).map((each) => {
    const { movedIn, ...address } = each ?? {}
    const moved = readKnownDate(movedIn)
    return texts({ ...address, movedYear: shown(moved.year), movedMonth: shown(moved.month) })
  })
  return {
    ...answers,
    person: {
      ...texts({ ...person, day: shown(day), month: shown(month), year: shown(year) }),
      // What was cleared on purpose does not come back with the next render of the lender's page.
      ...answers.person,
    },
    addresses: answers.addresses.length > 0 ? answers.addresses : known,
  }
}

export function toConsumerDetails({ person, addresses }: Answers, sessionId: string): ConsumerDetails {
  return {
    sessionId,
    ...readPerson(person),
    addresses: addresses.map((address, index) => ({
      type: index === 0 ? 'current' : 'previous',
      ukAddress: readAddress(address),
    })),
  }
}

// The lender's script may hand over anything: only filled-in text is taken.
function texts(fields: { [name: string]: unknown }): Fields {
  const entries = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  return Object.fromEntries(entries)
}

function readKnownDate(date: unknown): ReturnType<typeof splitDate> {
  return splitDate(typeof date === 'string' ? date : '')
}

function shown(part: number): string {
  return part ? String(part) : ''
}
