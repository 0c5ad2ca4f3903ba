// A lender's wallet. These resources are additions to the service interface.
import * as z from 'zod/mini'
import { CREDITS_MAX } from './limits.ts'

/** Why credits moved. `hold` reserves, `capture` spends what was held, `release` gives it back. */
export const LineKind = z.enum(['top-up', 'hold', 'capture', 'release'])
export type LineKind = z.infer<typeof LineKind>

export const Wallet = z.object({
  tenantId: z.string(),
  /** Credits that can be spent now. */
  balanceCredits: z.int(),
  /** Credits reserved for reports and texts in progress. */
  heldCredits: z.int(),
  reportPriceCredits: z.int(),
  textPriceCredits: z.int(),
  /** The price of a match of person and number; absent where the installation has no match provider. */
  matchPriceCredits: z.optional(z.int()),
  /** The agencies that a report can be asked of. */
  bureaus: z.optional(z.array(z.string())),
  /**
   * The providers whose answers to live checks are invented; absent where none is, and in the demo, whose texts can be
   * read.
   */
  simulated: z.optional(z.array(z.string())),
})
export type Wallet = z.infer<typeof Wallet>

export const PricedAgencies = z.object({ asked: z.int(), delivered: z.int() })

export const WalletLine = z.object({
  id: z.string(),
  kind: LineKind,
  /** The purpose of the credits. */
  purpose: z.enum(['top-up', 'report', 'match', 'text']),
  /** Above 0: paid in (`top-up`) or given back (`release`). Below 0: reserved (`hold`) or charged (`capture`). */
  credits: z.int(),
  creditReportId: z.optional(z.string()),
  /** The lender's own reference of that report. */
  externalReference: z.optional(z.string()),
  /** The hold that a `capture` or `release` settles. */
  holdId: z.optional(z.string()),
  /**
   * The basis of a report's price: the agencies asked, and those that gave their file or said that they have none. On
   * its `capture`, and on the `top-up` that gives the share of the others back.
   */
  agencies: z.optional(PricedAgencies),
  createdAt: z.string(),
  /**
   * Only of an operator's correction: why credits were given (`top-up`) or taken (`hold` and `capture`). It belongs to
   * no report.
   */
  reason: z.optional(z.string()),
})
export type WalletLine = z.infer<typeof WalletLine>

export const WalletLines = z.object({
  lines: z.array(WalletLine),
  /** Pass as `?after=` for the next, older page; absent on the last. */
  nextAfter: z.optional(z.string()),
})
export type WalletLines = z.infer<typeof WalletLines>

export const Hold = z.object({
  id: z.string(),
  purpose: z.enum(['report', 'text']),
  /** The credits held, below 0. */
  credits: z.int(),
  creditReportId: z.string(),
  externalReference: z.optional(z.string()),
  createdAt: z.string(),
})
export type Hold = z.infer<typeof Hold>

export const Holds = z.object({
  /** Oldest first. */
  holds: z.array(Hold),
  /** Pass as `?after=` for the next, newer page; absent on the last. */
  nextAfter: z.optional(z.string()),
})
export type Holds = z.infer<typeof Holds>

const amountFrom = (least: number) => z.nullable(z.int().check(z.minimum(least), z.maximum(CREDITS_MAX)))
const amount = amountFrom(0)

export const PurposeCaps = z.strictObject({
  /** Null: no cap. 0: none may be bought. Absent: as it is. */
  hour: z.optional(amount),
  day: z.optional(amount),
})

/** The body of `PATCH /{tenantId}/v1/wallet/caps`. */
export const SpendCaps = z.object({ report: z.optional(PurposeCaps), text: z.optional(PurposeCaps) })
export type SpendCaps = z.infer<typeof SpendCaps>

export const CapState = z.object({
  purpose: z.enum(['report', 'text']),
  period: z.enum(['hour', 'day']),
  capCredits: z.nullable(z.int()),
  spentCredits: z.int(),
})

export const CapStates = z.object({ caps: z.array(CapState) })
export type CapStates = z.infer<typeof CapStates>

export const LowBalanceAlert = z.object({
  /** Null: no alert. */
  thresholdCredits: amountFrom(1),
})
export type LowBalanceAlert = z.infer<typeof LowBalanceAlert>
