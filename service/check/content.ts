// The personal content of a report, sealed as one string: a tag on the first line, JSON below it.
//
//   while a live challenge is open   {"kind":"consumer","format":1,…} ⏎ {"mobileNumber":…,"ipAddress":…,"sessionId":…,"consumer":…}
//   afterwards, and in test mode     {"kind":"report","format":1,"tenantId":"acme","test":false} ⏎ {"person":…}
//
// A report is serialised once, when it is made. From then on it is JSON that goes into the answer unchanged.

import * as z from 'zod/mini'
import type { KeyList } from '../../kit/keys.ts'
import { type Sealed, seal, unseal } from '../../kit/seal.ts'
import { ApiError } from '../http/api-error.ts'
import { type BureauConsumer, sealedFields } from '../providers/consumer.ts'
import type { Queries } from '../store/database.ts'
import { findSealed } from './store.ts'

/** Raised when a reader of the format before would misread the content. */
const FORMAT = 1

/** The consumer's details that an open challenge needs, and no others. */
type ChallengedConsumer = {
  /** The number that receives the texts. */
  mobileNumber: string
  /** Of the request that began the check: limits count further texts by them. */
  ipAddress: string
  sessionId: string
  consumer: BureauConsumer
}

type Kind = 'consumer' | 'report'
type Place = { tenantId: string; creditReportId: string; test: boolean }

const Tag = z.object({ kind: z.string(), format: z.int(), tenantId: z.string(), test: z.boolean() })

/** The content is of another kind, lender or mode than its row says, or has no tag. */
export class WrongContent extends Error {
  constructor(expected: Kind) {
    super(`the sealed content is no ${expected} of this row`)
    this.name = 'WrongContent'
  }
}

/** `reportJson` is the `CreditReport`, as JSON. */
export function sealReport(keys: KeyList, place: Place, reportJson: string): Sealed {
  return sealAs('report', { keys, place, json: reportJson })
}

export function sealConsumer(keys: KeyList, place: Place, { consumer, ...origin }: ChallengedConsumer): Sealed {
  const json = JSON.stringify({ ...origin, consumer: sealedFields(consumer) })
  return sealAs('consumer', { keys, place, json })
}

/** `sealed` is null once the content was erased or its retention ended: then it throws `credit-report-not-found`. */
export function openReport(keys: KeyList, place: Place, sealed: Sealed | null): string {
  return open('report', { keys, place, sealed })
}

/** The same for a live report whose challenge is open. */
export function openConsumer(keys: KeyList, place: Place, sealed: Sealed | null): ChallengedConsumer {
  // The tag proves that `sealConsumer` wrote it.
  return JSON.parse(open('consumer', { keys, place, sealed })) as ChallengedConsumer
}

/** For the sweeper: null when the report was erased, or its sealed consumer was replaced by the report. */
export function createMobileNumberReader(queries: Queries, keys: KeyList) {
  return async (place: { tenantId: string; creditReportId: string }): Promise<string | null> => {
    const sealed = await findSealed(queries, place.creditReportId)
    if (sealed === null) return null
    try {
      return openConsumer(keys, { ...place, test: false }, sealed).mobileNumber
    } catch (error) {
      if (error instanceof WrongContent) return null
      throw error
    }
  }
}

export function reportNotFound(): ApiError {
  return new ApiError('credit-report-not-found', 'there is no credit report with this id')
}

function sealAs(kind: Kind, { keys, place, json }: { keys: KeyList; place: Place; json: string }): Sealed {
  const { tenantId, test } = place
  return seal(keys, rowOf(place), `${JSON.stringify({ kind, format: FORMAT, tenantId, test })}\n${json}`)
}

/** The JSON below the tag. Throws `WrongContent` unless the tag is of this kind, lender and mode. */
function open(kind: Kind, { keys, place, sealed }: { keys: KeyList; place: Place; sealed: Sealed | null }): string {
  if (sealed === null) throw reportNotFound()
  const content = unseal(keys, rowOf(place), sealed)
  const lineEnd = content.indexOf('\n')
  const { data: tag } = Tag.safeParse(parseJson(content.slice(0, lineEnd)))
  if (tag === undefined) throw new WrongContent(kind)
  // Another process of this installation wrote it and can read it.
  if (tag.format > FORMAT) {
    throw new ApiError('unavailable', 'a newer version of the service keeps this report; try again', {
      'Retry-After': '1',
    })
  }
  if (tag.kind !== kind || tag.tenantId !== place.tenantId || tag.test !== place.test) throw new WrongContent(kind)
  return content.slice(lineEnd + 1)
}

function rowOf({ tenantId, creditReportId }: Place) {
  return { tenantId, rowId: creditReportId }
}

/** Undefined when it is no JSON. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
