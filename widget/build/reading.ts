// What the widget reads of the answers of the lender's server: of the contract's own parts, those a screen uses. Schemas stay at
// home; the build takes their shapes out (`shapes.ts`), so import types alone from here.
import * as z from 'zod/mini'
import { AccountRecord, CreditReport, Residency } from '../../contract/credit-report.ts'
import { ProxyReport, ProxyResend } from '../../contract/tenant-proxy.ts'

/** A bureau may leave anything out of a record, and a consumer has a right to the rest: what is missing is shown as not reported. */
export const LooseRecord = z.partial(AccountRecord)
export type LooseRecord = z.infer<typeof LooseRecord>

export const ShownResidency = z.extend(z.omit(Residency, { addressId: true }), {
  address: z.pick(Residency.shape.address, { addressLine1: true, lines: true }),
})
export type ShownResidency = z.infer<typeof ShownResidency>

export const ShownReport = z.extend(CreditReport, {
  residencies: z.array(ShownResidency),
  consumerData: z.object({ records: z.array(LooseRecord) }),
})
export type ShownReport = z.infer<typeof ShownReport>

/** How a check stands. */
export const Answer = z.extend(ProxyReport, {
  data: z.extend(ProxyReport.shape.data, { creditReport: z.optional(ShownReport) }),
})
export type Answer = z.infer<typeof Answer>

/** A text was sent again. */
export const Resent = z.object({ data: z.pick(ProxyResend.shape.data, { challenge: true }) })
export type Resent = z.infer<typeof Resent>
