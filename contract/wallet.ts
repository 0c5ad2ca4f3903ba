// What a lender may see of its wallet. These resources are additions to the service interface.
import * as z from 'zod/mini'

/** Why credits moved. `hold` reserves, `capture` spends what was held, `release` gives it back. */
export const LineKind = z.enum(['top-up', 'hold', 'capture', 'release'])
export type LineKind = z.infer<typeof LineKind>

export const Wallet = z.object({
  tenantId: z.string(),
  /** Credits that can be spent now. */
  balanceCredits: z.int(),
  /** Credits reserved for reports and texts under way. */
  heldCredits: z.int(),
  reportPriceCredits: z.int(),
  smsPriceCredits: z.int(),
})
export type Wallet = z.infer<typeof Wallet>

export const WalletLine = z.object({
  id: z.string(),
  kind: LineKind,
  /** What the credits were for. */
  purpose: z.enum(['top-up', 'report', 'sms']),
  credits: z.int(),
  creditReportId: z.optional(z.string()),
  /** The lender's own reference of that report. */
  externalReference: z.optional(z.string()),
  /** What a `capture` or `release` settles. */
  holdId: z.optional(z.string()),
  createdAt: z.string(),
  /** Only of an operator's correction: why credits were given (`top-up`) or taken (`hold` and `capture`). It belongs to no report. */
  reason: z.optional(z.string()),
})
export type WalletLine = z.infer<typeof WalletLine>

export const WalletLines = z.object({
  lines: z.array(WalletLine),
  /** Pass as `?before=` for the next, older page; absent on the last. */
  nextBefore: z.optional(z.string()),
})
export type WalletLines = z.infer<typeof WalletLines>
