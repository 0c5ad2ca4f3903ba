// Everything the consumer has typed so far, kept in memory only and never lost on the way.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import { ADDRESS_FIELDS, ADDRESSES_ASKED_MAX, readAddress } from './address.ts'
import { prefill } from './field.ts'
import { PERSON_FIELDS, readPerson } from './person.ts'
import type { AddressWireField, PersonWireField, Typed } from './typed.ts'

export type Answers = {
  person: Typed
  /** Newest first; the first is where the consumer lives now. */
  addresses: Typed[]
  /** The consumer lived outside the UK before the oldest of them. */
  abroadBefore: boolean
}

/**
 * Details a lender already knows about the consumer, each field as the request has it. It stays editable, unless the
 * element is `locked`.
 */
export type Prefill = { [name in PersonWireField]?: string } & {
  /** Newest first. */
  addresses?: PrefillAddress[]
}

export type PrefillAddress = { [name in AddressWireField]?: string } & {
  /** When the consumer moved in, YYYY-MM. */
  movedIn?: string
}

/** The lender's details, as the inputs have them. */
export function readPrefill(known: Prefill): Answers {
  const list: readonly (PrefillAddress | null)[] = Array.isArray(known.addresses) ? known.addresses : []
  const addresses = list.slice(0, ADDRESSES_ASKED_MAX).map((address) => prefill(ADDRESS_FIELDS, address ?? {}))
  return { person: prefill(PERSON_FIELDS, known), addresses, abroadBefore: false }
}

/** Adds what the lender knows wherever the consumer has typed nothing; what was cleared on purpose stays empty. */
export function fillBlanks(answers: Answers, known: Answers): Answers {
  return {
    ...answers,
    person: { ...known.person, ...answers.person },
    addresses: answers.addresses.length > 0 ? answers.addresses : known.addresses,
  }
}

/** The same with what the lender has fixed in place of whatever was typed there. */
export function fixAnswers(answers: Answers, fixed: Answers): Answers {
  const { addresses } = answers
  return {
    ...answers,
    person: { ...answers.person, ...fixed.person },
    addresses: [
      ...addresses.map((address, index) => ({ ...address, ...fixed.addresses[index] })),
      ...fixed.addresses.slice(addresses.length),
    ],
  }
}

export function toConsumerDetails({ person, addresses, abroadBefore }: Answers, sessionId: string): ConsumerDetails {
  return {
    sessionId,
    ...readPerson(person),
    addresses: addresses.map((address, index) => ({
      type: index === 0 ? 'current' : 'previous',
      ukAddress: readAddress(address),
    })),
    ...(abroadBefore && { livedAbroad: true }),
  }
}
