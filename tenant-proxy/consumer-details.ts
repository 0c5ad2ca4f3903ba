import * as z from 'zod/mini'
import { ConsumerDetails } from '../contract/consumer-details.ts'
import { generateRequest } from '../contract/generate.ts'

/** The contract's details, with a date of birth that is past by this clock: a typing mistake never reaches the service. */
export function pastDetails(nowMs: () => number) {
  return z.extend(ConsumerDetails, { dateOfBirth: generateRequest({ nowMs }).shape.dateOfBirth })
}
export type PastDetails = ReturnType<typeof pastDetails>
