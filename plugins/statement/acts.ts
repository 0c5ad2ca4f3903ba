// The operator's bookings in a wallet.
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { requiredString } from '../../contract/bounded-string.ts'
import { CREDITS_MAX } from '../../contract/limits.ts'
import { showCredits } from '../../contract/money.ts'
import { act } from '../../service/act/act.ts'
import { ApiError, validationError } from '../../service/http/api-error.ts'
import { correct, readBalance, readTopUp, topUp } from '../../service/ledger/ledger.ts'

const REFERENCE_LENGTH_MAX = 200
const REASON_LENGTH_MAX = 100
/** The same one counts once. */
const Reference = z.optional(requiredString(REFERENCE_LENGTH_MAX))
const common = { doors: ['admin'], permission: null, fresh: false, words: ['credits'] } as const

const topUpWallet = act({
  ...common,
  name: 'top-up',
  says: 'Add credits; the same reference counts once',
  reads: z.object({ credits: z.int().check(z.minimum(1), z.maximum(CREDITS_MAX)), reference: Reference }),
  async run({ database, clock }, { tenantId, acting }, { credits, reference = randomUUID() }) {
    const payment = { tenantId, credits, reference, nowMs: clock() }
    const isBooked = await acting.transaction(
      (queries) => topUp(queries, payment),
      () => ({ change: { from: null, to: { credits } } }),
    )
    const before = isBooked ? credits : await readTopUp(database, payment)
    if (before !== credits)
      throw validationError([
        { path: 'reference', expected: `was booked before, for ${before} credits: nothing added` },
      ])
    return { added: show(isBooked ? credits : 0), balance: show(await readBalance(database, tenantId)) }
  },
})

const correctWallet = act({
  ...common,
  name: 'correct',
  says: 'Correct a wallet with a line of its own: give credits, or take them with a number below 0; the same reference counts once',
  reads: z.object({
    credits: z.int().check(
      z.minimum(-CREDITS_MAX),
      z.maximum(CREDITS_MAX),
      z.refine((credits) => credits !== 0, 'must not be 0'),
    ),
    reason: requiredString(REASON_LENGTH_MAX),
    reference: Reference,
  }),
  isFinal: true,
  async run({ database, clock }, { tenantId, acting }, { credits, reason, reference = randomUUID() }) {
    const correction = { tenantId, credits, reason, reference, nowMs: clock() }
    const isBooked = await acting
      .transaction(
        (queries) => correct(queries, correction),
        () => ({ change: { from: null, to: { credits, reason } } }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
        throw new ApiError(error.code, 'the wallet has fewer credits than that; held ones cannot be taken')
      })
    return { booked: show(isBooked ? credits : 0), balance: show(await readBalance(database, tenantId)) }
  },
})

export const walletActs = [topUpWallet, correctWallet]

function show(credits: number): string {
  return `${credits} credits (${showCredits(credits)})`
}
