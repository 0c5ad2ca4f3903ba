import * as z from 'zod/mini'
import { boundedString } from './bounded-string.ts'
import { consumerFields } from './generate.ts'
import { REFERENCE_LENGTH_MAX } from './limits.ts'

/** `POST {endpoint}`: what the browser may say about a report. Anything else it sends is dropped. */
export const ConsumerDetails = z.object({
  ...consumerFields,
  /** The consumer says that they lived outside the UK before the oldest of these addresses. */
  livedAbroad: z.optional(z.boolean()),
  /** The words shown above "Agree", for the lender's records. */
  consent: z.optional(
    z.object({
      /** Of the lender's own words to tick. */
      version: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
      locale: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
      /** There were words to tick, and they were ticked. */
      ticked: z.optional(z.boolean()),
      /** Version of the widget's own notice. */
      notice: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
      /** SHA-256, in hex, of every word that was shown. */
      shown: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
    }),
  ),
})
export type ConsumerDetails = z.infer<typeof ConsumerDetails>
