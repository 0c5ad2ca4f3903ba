// What the shop's page asks its own server.
import * as z from 'zod/mini'

/** `GET /order`: what the lender decided; null without a completed check for this order. */
export const OrderState = z.object({
  decision: z.nullable(
    z.object({
      outcome: z.enum(['approved', 'referred']),
      openAccounts: z.int(),
      monthlyCommitmentsPence: z.int(),
    }),
  ),
})
export type OrderState = z.infer<typeof OrderState>

/** `GET /phone`: the texts of this shop's checks, oldest first. */
export const PhoneTexts = z.array(z.object({ id: z.string(), body: z.string(), sentAtMs: z.number() }))
export type PhoneText = z.infer<typeof PhoneTexts>[number]
