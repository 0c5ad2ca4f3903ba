import * as z from 'zod/mini'
import { PageSize } from '../../contract/report-list.ts'
import { Statement, StatementDay, StatementLine, StatementQuery, StatementTotal } from '../../contract/statement.ts'
import { Hold, Holds, PricedAgencies, WalletLine, WalletLines } from '../../contract/wallet.ts'
import { COUNT, component, DATE, TIME } from '../../openapi/component.ts'
import { query, type Rows } from '../../openapi/operation.ts'
import { afterWords, ID_TEXT, LIMIT_WORDS } from '../../openapi/page-words.ts'
import { CREATED_AT, CREDIT_REPORT_ID, REFERENCE } from '../../openapi/samples.ts'

const cursor = z.optional(z.string())
const look = { who: 'tenant', scope: 'wallet', permission: 'look' } as const

export const statementRows = {
  operations: {
    listWalletLines: {
      route: 'GET /:tenantId/v1/wallet/lines',
      rule: look,
      tag: 'Wallet',
      summary: 'Every movement of credits, newest first',
      description:
        'Lines are added and never changed. A balance is the sum of all but `capture`, whose credits the `hold` took.',
      query: query(z.object({ after: cursor, creditReportId: cursor, limit: PageSize }), {
        limit: LIMIT_WORDS,
        after: afterWords(`hold_report_${CREDIT_REPORT_ID}`),
        creditReportId: [
          'Only the lines of one report and its texts: the receipt of one check.',
          CREDIT_REPORT_ID,
          ID_TEXT,
        ],
      }),
      answers: {
        200: { says: 'A page of lines.', data: WalletLines },
      },
      errors: ['validation-error'],
    },
    getStatement: {
      route: 'GET /:tenantId/v1/wallet/statement',
      rule: look,
      tag: 'Wallet',
      summary: 'The statement of a month with its lines',
      description:
        'Top-ups and charges of a month in the United Kingdom, oldest first: `openingCredits` and the lines make `closingCredits`, which is the balance and what is held together. A hold is no charge and has no line. Each page carries the totals as they are at that moment.',
      query: query(StatementQuery, {
        month: ['A month in the United Kingdom.', '2026-11'],
        limit: LIMIT_WORDS,
        after: afterWords(`capture_report_${CREDIT_REPORT_ID}`),
      }),
      answers: {
        200: { says: 'The totals, and a page of lines.', data: Statement },
      },
      errors: ['validation-error'],
    },
    listHolds: {
      route: 'GET /:tenantId/v1/wallet/holds',
      rule: look,
      tag: 'Wallet',
      summary: 'Credits held now, oldest first',
      description: 'Each is charged when its report or text is delivered, and otherwise given back.',
      query: query(z.object({ after: cursor, limit: PageSize }), {
        limit: LIMIT_WORDS,
        after: afterWords(`hold_report_${CREDIT_REPORT_ID}`),
      }),
      answers: {
        200: { says: 'A page of holds.', data: Holds },
      },
      errors: ['validation-error'],
    },
  },
  words: () => ({
    answers: [
      component(
        'WalletLine',
        WalletLine,
        'One movement of credits. Lines are never changed.',
        {
          id: ['The line’s id.', `capture_report_${CREDIT_REPORT_ID}`],
          kind: ['`top-up` adds, `hold` reserves, `capture` spends what was held, `release` gives it back.', 'capture'],
          purpose: ['The purpose of the credits.', 'report'],
          credits: [
            'Above 0: paid in (`top-up`) or given back (`release`). Below 0: reserved (`hold`) or charged (`capture`).',
            -500,
          ],
          creditReportId: ['The report it was about; absent for a top-up.', CREDIT_REPORT_ID],
          externalReference: ['Your own reference of that report, if it has one.', REFERENCE],
          agencies:
            'The agencies the price of a report depends on; on its `capture`, and on the `top-up` that gives a share of it back.',
          holdId: ['The hold that a `capture` or `release` settles.', `hold_report_${CREDIT_REPORT_ID}`],
          createdAt: ['The time of the booking.', CREATED_AT, TIME],
          reason: [
            'Only of a correction: why credits were given (`top-up`) or taken (`hold` and `capture`). It belongs to no report.',
            'booked twice',
          ],
        },
        { without: ['reason'] },
      ),
      component('PricedAgencies', PricedAgencies, 'The agencies asked for a report, and those that delivered.', {
        asked: ['Agencies of the request.', 3, COUNT],
        delivered: [
          'Those that gave their file or said that they have none; the share of the others is given back.',
          3,
          COUNT,
        ],
      }),
      component('WalletLines', WalletLines, 'A page of lines, newest first.', {
        lines: 'The lines.',
        nextAfter: ['Pass as `after` for the next, older page; absent on the last.', `hold_report_${CREDIT_REPORT_ID}`],
      }),
      component('Statement', Statement, 'A month, and a page of its lines, oldest first.', {
        month: ['The month.', '2026-11'],
        openingCredits: ['The balance, including what was held, at the beginning of the month.', 1_000_000],
        closingCredits: ['The same at the end of the month, or now.', 999_500],
        heldCredits: ['The part of the closing balance held for reports and texts in progress.', 0, COUNT],
        totals: 'The sums of the month’s lines, by item.',
        days: 'The sums of each day’s lines, first to last; days without any are left out.',
        lines: 'The lines of this page.',
        nextAfter: [
          'Pass as `after` for the next, later page; absent on the last.',
          `capture_report_${CREDIT_REPORT_ID}`,
        ],
      }),
      component('StatementTotal', StatementTotal, 'The sum of the lines of one item.', {
        item: ['The item of the lines.', 'report'],
        lines: ['The number of lines.', 1, COUNT],
        credits: ['Above 0: paid in or given back. Below 0: charged.', -500],
      }),
      component('StatementDay', StatementDay, 'The sums of the lines of one day.', {
        day: ['The day in the United Kingdom.', '2026-11-17', DATE],
        lines: ['The number of lines.', 1, COUNT],
        credits: ['Above 0: more was paid in or given back than charged. Below 0: less.', -500],
        spentCredits: ['The credits charged, less those given back.', 500],
      }),
      component(
        'StatementLine',
        StatementLine,
        'A top-up or a charge.',
        {
          id: ['The line’s id.', `capture_report_${CREDIT_REPORT_ID}`],
          item: [
            '`top-up`, `report`, `match` (of person and number), `text`, `given-back` (the share of agencies that did not answer) or `correction`.',
            'report',
          ],
          credits: ['Above 0: paid in or given back. Below 0: charged.', -500],
          creditReportId: ['The report it was about; absent for a top-up.', CREDIT_REPORT_ID],
          externalReference: ['Your own reference of that report, if it has one.', REFERENCE],
          agencies: 'The agencies the price of a report depends on.',
          createdAt: ['The time of the booking.', CREATED_AT, TIME],
          reason: ['Only of a correction: why credits were given or taken.', 'booked twice'],
        },
        { without: ['reason'] },
      ),
      component('Holds', Holds, 'A page of what is held, oldest first.', {
        holds: 'The holds.',
        nextAfter: [
          'Pass as `after` for the next, younger page; absent on the last.',
          `hold_report_${CREDIT_REPORT_ID}`,
        ],
      }),
      component('Hold', Hold, 'Credits held for a report or text in progress.', {
        id: ['The line’s id.', `hold_report_${CREDIT_REPORT_ID}`],
        purpose: ['The purpose of the hold.', 'report'],
        credits: ['The number of credits: below 0, because they cannot be spent.', -500],
        creditReportId: ['The report it is about.', CREDIT_REPORT_ID],
        externalReference: ['Your own reference of that report, if it has one.', REFERENCE],
        createdAt: ['The time of the hold.', CREATED_AT, TIME],
      }),
    ],
  }),
} satisfies Rows
