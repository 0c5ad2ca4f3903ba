// What is personal about a report, sealed as one string: a first line, then JSON. A report's first line is its tag. A challenged
// consumer's first line is the mobile number, and the tag is the field `sealed` of the JSON. The two differ so that 0.2.0, which
// shares the database during a rolling deploy, reads both: it takes the first line for the number and ignores unknown fields.
//
//   while a live challenge is open   +447700900123 ⏎ {"sealed":{"kind":"consumer",…},"lastName":…}
//   afterwards, and in test mode     {"kind":"report","format":1,"tenantId":"acme","test":false} ⏎ {"person":…}
//
// The report is serialised once, when it is made. From then on it is JSON that goes into the answer as it is.

import * as z from 'zod/mini'
import { CreditReport } from '../../contract/credit-report.ts'
import type { KeyList } from '../../kit/keys.ts'
import { type Sealed, seal, unseal } from '../../kit/seal.ts'
import { ApiError } from '../http/api-error.ts'
import { type BureauConsumer, sealedFields } from '../providers/consumer.ts'
import type { Queries } from '../store/database.ts'
import { findSealed } from './store.ts'

/** Raised when a reader of the format before would misread the content. */
const FORMAT = 1

/** What an open challenge needs of the consumer, and nothing else. */
type ChallengedConsumer = {
  /** Where the texts go. */
  mobileNumber: string
  consumer: BureauConsumer
}

type Kind = 'consumer' | 'report'
type Place = { tenantId: string; creditReportId: string; test: boolean }

const Tag = z.object({ kind: z.string(), format: z.int(), tenantId: z.string(), test: z.boolean() })
type Tag = z.infer<typeof Tag>

/** What 0.1.0 and 0.2.0 sealed has no tag: its shape tells the kinds apart. */
const UNTAGGED: { readonly [kind in Kind]: z.ZodMiniType } = {
  consumer: z.object({ lastName: z.string(), addresses: z.array(z.unknown()), bureaus: z.array(z.string()) }),
  report: CreditReport,
}

/** The content is of another kind, lender or mode than its row says, or is none that this version or an older one wrote. */
export class WrongContent extends Error {
  constructor(expected: Kind) {
    super(`the sealed content is no ${expected} of this row`)
    this.name = 'WrongContent'
  }
}

/** `reportJson` is the `CreditReport`, as JSON. */
export function sealReport(keys: KeyList, place: Place, reportJson: string): Sealed {
  return seal(keys, rowOf(place), `${JSON.stringify(tagOf('report', place))}\n${reportJson}`)
}

export function sealConsumer(keys: KeyList, place: Place, { mobileNumber, consumer }: ChallengedConsumer): Sealed {
  const json = JSON.stringify({ sealed: tagOf('consumer', place), ...sealedFields(consumer) })
  return seal(keys, rowOf(place), `${mobileNumber}\n${json}`)
}

/** `sealed` is null once the content has been erased or its time is over: then it throws `credit-report-not-found`. */
export function openReport(keys: KeyList, place: Place, sealed: Sealed | null): string {
  return open('report', { keys, place, sealed }).json
}

/** The same for a live report whose challenge is open. */
export function openConsumer(keys: KeyList, place: Place, sealed: Sealed | null): ChallengedConsumer {
  const { firstLine: mobileNumber, json } = open('consumer', { keys, place, sealed })
  // Sealed by us as what the tag says, so it is what it was.
  const { sealed: _tag, ...consumer } = JSON.parse(json) as BureauConsumer & { sealed?: Tag }
  return { mobileNumber, consumer }
}

/** For the sweeper: null when the report was erased or holds no consumer any more, and no text is sent. */
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

function rowOf({ tenantId, creditReportId }: Place) {
  return { tenantId, rowId: creditReportId }
}

function tagOf(kind: Kind, { tenantId, test }: Place): Tag {
  return { kind, format: FORMAT, tenantId, test }
}

/** Throws `WrongContent` unless the content is of this kind. */
function open(kind: Kind, { keys, place, sealed }: { keys: KeyList; place: Place; sealed: Sealed | null }) {
  if (sealed === null) throw reportNotFound()
  const content = unseal(keys, rowOf(place), sealed)
  const lineEnd = content.indexOf('\n')
  const firstLine = content.slice(0, lineEnd)
  const json = content.slice(lineEnd + 1)
  const isTag = firstLine.startsWith('{')
  const value = parseJson(isTag ? firstLine : json)
  const tag = isTag ? value : tagIn(value)
  if (tag !== undefined) requireTag(kind, place, tag)
  else if (!UNTAGGED[kind].safeParse(value).success) throw new WrongContent(kind)
  return { firstLine, json }
}

function tagIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'sealed' in value ? value.sealed : undefined
}

function requireTag(kind: Kind, { tenantId, test }: Place, given: unknown): void {
  const { data: tag } = Tag.safeParse(given)
  if (tag === undefined) throw new WrongContent(kind)
  // Another process of this installation wrote it and can read it.
  if (tag.format > FORMAT) {
    throw new ApiError('unavailable', 'a newer version of the service keeps this report; try again', {
      'Retry-After': '1',
    })
  }
  if (tag.kind !== kind || tag.tenantId !== tenantId || tag.test !== test) throw new WrongContent(kind)
}

/** Undefined when it is no JSON. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
