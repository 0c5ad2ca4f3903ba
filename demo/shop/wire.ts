// The requests of the shop's page to its own server.
import * as z from 'zod/mini'

/** `GET /order`: what the lender decided; null without a completed check for this order. */
export const OrderState = z.object({
  decision: z.nullable(
    z.object({
      outcome: z.enum(['approved', 'referred', 'declined']),
      openAccounts: z.int(),
      monthlyCommitmentsPence: z.int(),
      /** The notice for someone who is declined. */
      notice: z.optional(
        z.object({
          title: z.string(),
          lead: z.string(),
          agencies: z.array(
            z.object({ name: z.string(), address: z.string(), telephone: z.string(), website: z.string() }),
          ),
          steps: z.array(z.string()),
        }),
      ),
    }),
  ),
})
export type OrderState = z.infer<typeof OrderState>
export type ShownDecision = NonNullable<OrderState['decision']>

/** `GET /phone`: the texts of this shop's checks, oldest first. */
export const PhoneTexts = z.array(
  z.object({ id: z.string(), body: z.string(), sentAtMs: z.number(), url: z.optional(z.string()) }),
)
export type PhoneText = z.infer<typeof PhoneTexts>[number]
