import * as z from 'zod/mini'

export const RequestMeta = z.object({ timeTakenMs: z.int() })

export const WalletMeta = z.object({
  /** Credits that can be spent after the operation: every hold is taken off, also that of a text. */
  balance: z.int(),
  /** Credits this operation charged; 0 when nothing was. */
  cost: z.int(),
})
export type WalletMeta = z.infer<typeof WalletMeta>

export const Meta = z.object({ request: RequestMeta })
export const MeteredMeta = z.object({ request: RequestMeta, wallet: WalletMeta })

/** The answer of a metered operation. */
export function meteredEnvelope<Data extends z.ZodMiniType>(data: Data) {
  return z.object({ meta: MeteredMeta, data })
}

/** The answer of any other operation. */
export function envelope<Data extends z.ZodMiniType>(data: Data) {
  return z.object({ meta: Meta, data })
}

/** The body of every answer that is not 2xx. Readers accept any code: a newer service may know more. */
export const ErrorBody = z.object({ code: z.string(), message: z.string() })
export type ErrorBody = z.infer<typeof ErrorBody>
