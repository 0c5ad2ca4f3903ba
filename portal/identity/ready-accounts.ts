// After a link made an account or set its password, the next sign-in in this browser says so and has the address filled
// in.
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { Cookies } from './cookies.ts'
import { createSealer } from './sealed-cookie.ts'

const READY_SECONDS = 600

const ReadyAccount = z.object({ email: z.string(), isNew: z.boolean() })
export type ReadyAccount = z.infer<typeof ReadyAccount>

export type ReadyAccounts = ReturnType<typeof createReadyAccounts>

export function createReadyAccounts({ cookies, keys, clock }: { cookies: Cookies; keys: KeyList; clock: Clock }) {
  const sealer = createSealer(ReadyAccount, { keys, clock, seconds: READY_SECONDS })
  return {
    async keep(context: Context, account: ReadyAccount): Promise<void> {
      cookies.set(context, 'ready', await sealer.seal(account), READY_SECONDS)
    },
    read: (context: Context): Promise<ReadyAccount | null> => sealer.open(cookies.read(context.req.raw, 'ready')),
    drop(context: Context): void {
      if (cookies.read(context.req.raw, 'ready') !== undefined) cookies.clear(context, 'ready')
    },
  }
}
