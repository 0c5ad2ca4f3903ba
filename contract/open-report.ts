// Opens a completed report again for a person who knows the date of birth it is about. An addition to the service
// interface.
import * as z from 'zod/mini'
import { envelope } from './envelope.ts'

/** Wrong dates of birth after which the report stays closed. Counted by the service. */
export const OPEN_ATTEMPTS_MAX = 3

/**
 * `POST {endpoint}/current/open` of the proxy, and `POST /{tenantId}/v1/credit-reports/{creditReportId}/open` of the
 * service.
 */
export const OpenReport = z.object({ dateOfBirth: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)) })
export type OpenReport = z.infer<typeof OpenReport>

export const OpenResult = z.object({
  creditReportId: z.string(),
  status: z.enum(['open', 'wrong']),
  attemptsRemaining: z.int(),
})
export type OpenResult = z.infer<typeof OpenResult>

export const OpenResponse = envelope(OpenResult)
export type OpenResponse = z.infer<typeof OpenResponse>
