// What is personal about a report, sealed as one string: the mobile number on the first line, then JSON. While a live
// challenge is open that is what the bureaus will be asked about; afterwards it is the report, and the number is gone.
// The report is serialised once, when it is made. From then on it is JSON that goes into the answer as it is.

import type { KeyList } from '../../kit/keys.ts'
import { type Sealed, seal, unseal } from '../../kit/seal.ts'
import { ApiError } from '../http/api-error.ts'
import type { BureauConsumer } from '../providers/providers.ts'
import type { Queries } from '../store/database.ts'
import { findSealed } from './store.ts'

/** What an open challenge needs of the consumer, and nothing else. */
type ChallengedConsumer = {
  /** Where the texts go. */
  mobileNumber: string
  consumer: BureauConsumer
}

type Place = { tenantId: string; creditReportId: string }

/** `reportJson` is the `CreditReport`, as JSON. */
export function sealReport(keys: KeyList, { tenantId, creditReportId }: Place, reportJson: string): Sealed {
  return seal(keys, { tenantId, rowId: creditReportId }, `\n${reportJson}`)
}

export function sealConsumer(
  keys: KeyList,
  { tenantId, creditReportId }: Place,
  { mobileNumber, consumer: given }: ChallengedConsumer,
): Sealed {
  const { title, firstName, middleName, lastName, dateOfBirth, gender, addresses, searchType, bureaus, email } = given
  const person = { title, firstName, middleName, lastName, dateOfBirth, gender, email }
  const consumer: BureauConsumer = { ...person, addresses, searchType, bureaus }
  return seal(keys, { tenantId, rowId: creditReportId }, `${mobileNumber}\n${JSON.stringify(consumer)}`)
}

/** `sealed` is null once the content has been erased or its time is over: then it throws `credit-report-not-found`. */
export function openReport(keys: KeyList, place: Place, sealed: Sealed | null): string {
  return open(keys, place, sealed).json
}

/** The same for a report whose challenge is open. */
export function openConsumer(keys: KeyList, place: Place, sealed: Sealed | null): ChallengedConsumer {
  const { firstLine: mobileNumber, json } = open(keys, place, sealed)
  // Sealed by us, so it is what it was.
  return { mobileNumber, consumer: JSON.parse(json) as BureauConsumer }
}

/** For the sweeper, to which an erased report is no error: null, and no text is sent. */
export function createMobileNumberReader(queries: Queries, keys: KeyList) {
  return async (place: Place): Promise<string | null> => {
    const sealed = await findSealed(queries, place.creditReportId)
    return sealed && openConsumer(keys, place, sealed).mobileNumber
  }
}

export function reportNotFound(): ApiError {
  return new ApiError('credit-report-not-found', 'there is no credit report with this id')
}

function open(keys: KeyList, { tenantId, creditReportId }: Place, sealed: Sealed | null) {
  if (sealed === null) throw reportNotFound()
  const content = unseal(keys, { tenantId, rowId: creditReportId }, sealed)
  const lineEnd = content.indexOf('\n')
  return { firstLine: content.slice(0, lineEnd), json: content.slice(lineEnd + 1) }
}
