// A form that arrives when its session is over is kept in a sealed cookie until its person has signed in again. It is
// shown to them, for the lender it was typed for, and never sent by itself.
//
//   form ──POST──▶ session is over ──303──▶ sign-in ──▶ the form's page: filled in, with a new id ──press──▶ carried out
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { Cookies } from '../identity/cookies.ts'
import { readForm } from '../identity/read-form.ts'
import { createSealer } from '../identity/sealed-cookie.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Users } from '../identity/users.ts'
import type { Presses } from './presses.ts'

const KEPT_SECONDS = 600
/** Browsers drop a cookie of more than 4 KB. */
const KEPT_LENGTH_MAX = 2_000
/** Secrets, what is sent once, and consent, which is given anew. */
const NOT_KEPT = ['press', 'proof', 'password', 'current', 'new', 'code', 'sure']

const KeptForm = z.object({
  userId: z.string(),
  tenantId: z.nullable(z.string()),
  /** The path of the page that the form is on. */
  page: z.string(),
  action: z.string(),
  fields: z.array(z.tuple([z.string(), z.string()])),
})
export type KeptForm = z.infer<typeof KeptForm>

type KeptFormOptions = {
  cookies: Cookies
  keys: KeyList
  clock: Clock
  sessions: Pick<Sessions, 'findAnyBy'>
  users: Pick<Users, 'listTenants'>
  presses: Presses
}

export type KeptForms = ReturnType<typeof createKeptForms>

export function createKeptForms({ cookies, keys, clock, sessions, users, presses }: KeptFormOptions) {
  const sealer = createSealer(KeptForm, { keys, clock, seconds: KEPT_SECONDS })
  return {
    /** Only what a page of this browser's own session has sent: nothing is kept for strangers. */
    async keep(context: Context, { page, action }: { page: string; action: string }): Promise<void> {
      const refreshToken = cookies.read(context.req.raw, 'refresh')
      const session = refreshToken === undefined ? null : await sessions.findAnyBy(refreshToken)
      if (session === null) return
      const form = await readForm(context.req.raw, { files: true })
      const { id: sessionId, userId } = session
      const tenantIds = (await users.listTenants(userId)).map(({ id }) => id)
      const press = presses.read(form.get('press'), { sessionId, tenantIds })
      const fields = [...form].filter(([name]) => !NOT_KEPT.includes(name))
      if (press === null || fields.length === 0 || JSON.stringify(fields).length > KEPT_LENGTH_MAX) return
      const kept = { userId, tenantId: press.tenantId, page, action, fields }
      cookies.set(context, 'form', await sealer.seal(kept), KEPT_SECONDS)
    },

    /** Once, on the page that the form is on. Null for another person, lender or page. */
    async take(context: Context, { userId, tenantId }: { userId: string; tenantId: string | null }) {
      const sealed = cookies.read(context.req.raw, 'form')
      if (sealed === undefined || context.req.method !== 'GET') return null
      const kept = await sealer.open(sealed)
      if (kept !== null && kept.userId === userId && kept.page !== context.req.path) return null
      cookies.clear(context, 'form')
      return kept !== null && kept.userId === userId && kept.tenantId === tenantId ? kept : null
    },
  }
}
