import * as z from 'zod/mini'
import { opaqueString } from './bounded-string.ts'

/** A person who signs in. */
export const Profile = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  totpEnabled: z.boolean(),
  createdAt: z.string(),
})
export type Profile = z.infer<typeof Profile>

const TENANT_ID_LENGTH_MAX = 100

/** A lender. */
export const Tenant = z.object({ id: z.string(), name: z.string() })
export type Tenant = z.infer<typeof Tenant>

export const SelectTenant = z.object({ tenantId: opaqueString(TENANT_ID_LENGTH_MAX) })
export type SelectTenant = z.infer<typeof SelectTenant>
