// People who act for a lender, as the API lists and changes them.
import * as z from 'zod/mini'
import { Email } from './generate.ts'
import { ROLES } from './roles.ts'

const LenderRole = z.enum(ROLES)

export const Member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: LenderRole,
  totpEnabled: z.boolean(),
})
export type Member = z.infer<typeof Member>

export const Members = z.object({ members: z.array(Member) })
export type Members = z.infer<typeof Members>

export const MemberRole = z.object({ role: LenderRole })

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: LenderRole,
  /** Absent where the operator invited. */
  invitedBy: z.optional(z.string()),
  expiresAt: z.string(),
})
export type Invitation = z.infer<typeof Invitation>

export const Invitations = z.object({ invitations: z.array(Invitation) })
export type Invitations = z.infer<typeof Invitations>

export const NewInvitation = z.object({ email: Email, role: LenderRole })

export const SecondFactorRule = z.object({ required: z.boolean() })
export type SecondFactorRule = z.infer<typeof SecondFactorRule>
