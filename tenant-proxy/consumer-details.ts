import * as z from 'zod/mini'
import { generateRequest } from '../contract/generate.ts'
import { ConsumerDetails } from '../contract/tenant-proxy.ts'

/** The contract's details, with a date of birth that is past by this clock: a typing mistake never reaches the service. */
export function pastDetails(nowMs: () => number) {
  return z.extend(ConsumerDetails, { dateOfBirth: generateRequest({ nowMs }).shape.dateOfBirth })
}
export type PastDetails = ReturnType<typeof pastDetails>
