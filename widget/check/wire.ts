// What the lender's server says, read with the contract's own schemas: of its parts, those a screen uses.
import * as z from 'zod/mini'
import { ErrorBody } from '../../contract/error.ts'
import { ProxyReport, ProxyResend } from '../../contract/tenant-proxy.ts'

/** How a check stands. The report itself is read by `report/read-report.ts`: nothing missing inside it may cost the consumer the rest. */
export const Answer = z.extend(ProxyReport, {
  data: z.extend(ProxyReport.shape.data, { creditReport: z.optional(z.looseObject({})) }),
})
export type Answer = z.infer<typeof Answer>

/** A text was sent again. */
export const Resent = z.object({ data: z.pick(ProxyResend.shape.data, { challenge: true }) })
export type Resent = z.infer<typeof Resent>

export type Reader<T> = (value: unknown) => T | null

export const readAnswer: Reader<Answer> = (value) => readAs(Answer, value)
export const readResent: Reader<Resent> = (value) => readAs(Resent, value)
export const readError: Reader<ErrorBody> = (value) => readAs(ErrorBody, value)

function readAs<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const reading = schema.safeParse(value)
  return reading.success ? reading.data : null
}
