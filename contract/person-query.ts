// Everything a lender's reports hold about one person: found, given out and erased. An addition to the service
// interface.
import * as z from 'zod/mini'
import { opaqueString, requiredString } from './bounded-string.ts'
import { CalendarDate } from './date-of-birth.ts'
import { envelope } from './envelope.ts'
import { NAME_LENGTH_MAX, REFERENCE_LENGTH_MAX } from './limits.ts'
import { normalisePostcode } from './postcode.ts'
import { ReportState } from './report-state.ts'

const POSTCODES_MAX = 20
const POSTCODE_LENGTH_MAX = 20

/** A person as agencies tell people apart. In a body and never in an address: addresses are logged. */
export const PersonQuery = z.object({
  /** Capitals, accents, hyphens, titles and initials make no difference. */
  lastName: requiredString(NAME_LENGTH_MAX),
  dateOfBirth: CalendarDate,
  /** Each postcode the person gave as the current one: someone who moved is found under every one of them. */
  postcodes: z
    .array(
      requiredString(POSTCODE_LENGTH_MAX).check(
        z.refine((text) => normalisePostcode(text) !== null, 'must be a UK postcode'),
      ),
    )
    .check(z.minLength(1, 'needs at least one postcode'), z.maxLength(POSTCODES_MAX)),
  /** The `nextAfter` of the page before. */
  after: z.optional(opaqueString(REFERENCE_LENGTH_MAX)),
})
export type PersonQuery = z.infer<typeof PersonQuery>

/**
 * `POST /{tenantId}/v1/people/export`: how each report about the person stands, with its content while it is kept;
 * newest first.
 */
export const PersonExport = z.object({
  creditReports: z.array(ReportState),
  /** Pass as `after` for the next, older page; absent on the last. */
  nextAfter: z.optional(z.string()),
})

/** `POST /{tenantId}/v1/people/erase`: the ids of the reports that were erased; empty when there was nothing. */
export const PersonErased = z.object({ creditReportIds: z.array(z.string()) })

/** `DELETE /{tenantId}/v1/credit-reports/{creditReportId}`. */
export const Erased = z.object({ creditReportId: z.string(), erased: z.literal(true) })
export const ErasedResponse = envelope(Erased)
export type ErasedResponse = z.infer<typeof ErasedResponse>
