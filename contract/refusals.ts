// The refused calls of a lender's API clients. An addition to the service interface.
import * as z from 'zod/mini'

export const RefusalHour = z.object({ startedAt: z.string(), code: z.string(), count: z.int() })

export const Refusal = z.object({
  createdAt: z.string(),
  clientId: z.string(),
  method: z.string(),
  /** The pattern. */
  route: z.string(),
  status: z.int(),
  code: z.string(),
  requestId: z.string(),
})

export const Refusals = z.object({ hours: z.array(RefusalHour), refusals: z.array(Refusal) })
