// A lender's month: what was paid in and what was charged. These resources are additions to the service interface.
import * as z from 'zod/mini'
import { PageSize } from './report-list.ts'
import { PricedAgencies } from './wallet.ts'

/** The subjects of a statement's lines, in the order of a statement. */
export const STATEMENT_ITEMS = ['top-up', 'report', 'match', 'text', 'given-back', 'correction'] as const
export const StatementItem = z.enum(STATEMENT_ITEMS)
export type StatementItem = z.infer<typeof StatementItem>

const monthWords = 'must be a month such as 2026-11'
/** A UK month. */
export const Month = z.string(monthWords).check(z.regex(/^20[0-9]{2}-(?:0[1-9]|1[0-2])$/, monthWords))

/** The query of `GET /{tenantId}/v1/wallet/statement`. */
export const StatementQuery = z.object({
  month: Month,
  /** The `nextAfter` of the page before. */
  after: z.optional(z.string()),
  limit: PageSize,
})

export const StatementTotal = z.object({ item: StatementItem, lines: z.int(), credits: z.int() })

/** A UK day of a statement. */
export const StatementDay = z.object({
  day: z.string(),
  lines: z.int(),
  credits: z.int(),
  /** Charged, less what was given back of it. */
  spentCredits: z.int(),
})

export const StatementLine = z.object({
  id: z.string(),
  item: StatementItem,
  /** Above 0: paid in or given back. Below 0: charged. */
  credits: z.int(),
  creditReportId: z.optional(z.string()),
  externalReference: z.optional(z.string()),
  agencies: z.optional(PricedAgencies),
  createdAt: z.string(),
  reason: z.optional(z.string()),
})
export type StatementLine = z.infer<typeof StatementLine>

export const Statement = z.object({
  month: z.string(),
  /** Balance and held credits together, when the month began. */
  openingCredits: z.int(),
  closingCredits: z.int(),
  /** The part of the closing balance that was held for reports and texts in progress. */
  heldCredits: z.int(),
  totals: z.array(StatementTotal),
  /** The days that have a line, first to last. */
  days: z.array(StatementDay),
  lines: z.array(StatementLine),
  /** Pass as `?after=` for the next, later page; absent on the last. */
  nextAfter: z.optional(z.string()),
})
export type Statement = z.infer<typeof Statement>
