// A new secret is mailed to those whose work it is, so that one made with a stolen session does not go unseen.
import type { Role } from '../../contract/roles.ts'
import type { Clock } from '../../kit/clock.ts'
import { newSecretMail } from '../identity/mails.ts'
import type { Members } from '../identity/members.ts'
import type { Notify } from '../identity/notify.ts'
import type { TenantVisit } from './frame.ts'

const READERS: readonly Role[] = ['owner', 'developer']

type Options = { notify: Notify; publicUrl: string; clock: Clock; members: Pick<Members, 'list'> }

/** `secret`: in words what it is, never the secret. `page`: where it can be ended. */
export type SecretNotice = (visit: TenantVisit, made: { secret: string; page: string }) => Promise<void>

export function createSecretNotice({ notify, publicUrl, clock, members }: Options): SecretNotice {
  return async ({ tenant, user }, made) => {
    const readers = (await members.list(tenant.id)).filter(({ role }) => READERS.includes(role))
    const by = `${user.firstName} ${user.lastName}`
    notify(readers, newSecretMail({ publicUrl }, { tenantName: tenant.name, by, ...made, atMs: clock() }))
  }
}
