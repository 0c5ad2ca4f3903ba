// What the widget reads of the answers of the lender's server: of the contract's own parts, those a screen uses. Schemas stay at
// home; the build takes their shapes out (`shapes.ts`), so import types alone from here.
import * as z from 'zod/mini'
import { ProxyReport, ProxyResend } from '../../contract/tenant-proxy.ts'

/** How a check stands. The report itself is read by `report/read-report.ts`: nothing missing inside it may cost the consumer the rest. */
export const Answer = z.extend(ProxyReport, {
  data: z.extend(ProxyReport.shape.data, { creditReport: z.optional(z.looseObject({})) }),
})
export type Answer = z.infer<typeof Answer>

/** A text was sent again. */
export const Resent = z.object({ data: z.pick(ProxyResend.shape.data, { challenge: true }) })
export type Resent = z.infer<typeof Resent>
