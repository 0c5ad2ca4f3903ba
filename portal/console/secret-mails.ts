// A new secret is mailed to those whose work it is, so that one made with a stolen session does not go unseen.
import type { Role } from '../../contract/roles.ts'
import type { Clock } from '../../kit/clock.ts'
import { newSecretMail } from '../identity/mails.ts'
import type { Members } from '../identity/members.ts'
import type { Tell } from '../identity/tell.ts'
import type { TenantVisit } from './frame.ts'

const READERS: readonly Role[] = ['owner', 'developer']

type Options = { tell: Tell; publicUrl: string; clock: Clock; members: Pick<Members, 'list'> }

/** `secret`: in words what it is, never the secret. `page`: where it can be ended. */
export type TellOfSecret = (visit: TenantVisit, made: { secret: string; page: string }) => Promise<void>

export function createTellOfSecret({ tell, publicUrl, clock, members }: Options): TellOfSecret {
  return async ({ tenant, user }, made) => {
    const readers = (await members.list(tenant.id)).filter(({ role }) => READERS.includes(role))
    const by = `${user.firstName} ${user.lastName}`
    tell(readers, newSecretMail({ publicUrl }, { tenantName: tenant.name, by, ...made, atMs: clock() }))
  }
}
