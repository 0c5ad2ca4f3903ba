// The recipients of each field of a generate request. The adapters and the sealed copy read this table: a field that is
// added to the contract does not compile until its row says who needs it.
import type { GenerateRequest } from '../../contract/generate.ts'

/** The place of the field in the question to a provider: in its `person`, or beside it. */
type Place = 'person' | 'beside' | 'nowhere'

/**
 * A bureau's fields are sealed until the code is right, when bureaus are queried. `sealed`: kept for then, but not
 * sent.
 */
type Row = { risk: Place; match: Place; bureau: Place | 'sealed' }

const withheld = { risk: 'nowhere', match: 'nowhere', bureau: 'nowhere' } as const

const FIELDS = {
  title: { risk: 'person', match: 'person', bureau: 'person' },
  firstName: { risk: 'person', match: 'person', bureau: 'person' },
  middleName: { risk: 'person', match: 'person', bureau: 'person' },
  lastName: { risk: 'person', match: 'person', bureau: 'person' },
  dateOfBirth: { risk: 'person', match: 'person', bureau: 'person' },
  gender: { risk: 'nowhere', match: 'nowhere', bureau: 'person' },
  addresses: { risk: 'beside', match: 'beside', bureau: 'beside' },
  mobileNumber: { risk: 'beside', match: 'beside', bureau: 'nowhere' },
  // Simulated bureaus find their scenario by it.
  email: { risk: 'beside', match: 'nowhere', bureau: 'sealed' },
  ipAddress: { risk: 'beside', match: 'nowhere', bureau: 'nowhere' },
  searchType: { risk: 'nowhere', match: 'nowhere', bureau: 'beside' },
  bureaus: { risk: 'nowhere', match: 'nowhere', bureau: 'sealed' },
  sessionId: withheld,
  externalReference: withheld,
  test: withheld,
  challengeOptions: withheld,
} as const satisfies { readonly [field in keyof Required<GenerateRequest>]: Row }

type Fields = typeof FIELDS
type SealedField = { [field in keyof Fields]: Fields[field]['bureau'] extends 'nowhere' ? never : field }[keyof Fields]

/** The fields needed to query the bureaus: no telephone, no device. */
export type BureauConsumer = Pick<GenerateRequest, SealedField>

/** The consumer's details in the question to this provider. */
export function describeConsumer(provider: keyof Row, consumer: Partial<GenerateRequest>) {
  const fieldsAt = (place: Place) => pick(consumer, (row) => row[provider] === place)
  return { person: fieldsAt('person'), ...fieldsAt('beside') }
}

/** The details that are sealed until the code is right. */
export function sealedFields(consumer: BureauConsumer) {
  return pick(consumer, ({ bureau }) => bureau !== 'nowhere')
}

function pick(consumer: Partial<GenerateRequest>, isWanted: (row: Row) => boolean): { [field: string]: unknown } {
  const details: { [field: string]: unknown } = consumer
  const wanted = Object.entries<Row>(FIELDS).filter(([, row]) => isWanted(row))
  return Object.fromEntries(wanted.map(([field]) => [field, details[field]]))
}
