// Inviting a person by mail. A member is invited to become an owner: the role they have
// holds until they accept, by the mail or on their own page.
import { HOUR_MS } from '../../kit/clock.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Log } from '../../service/log.ts'
import type { Transactions } from '../../service/store/database.ts'
import type { Guesses } from './guesses.ts'
import type { Mail } from './mail.ts'
import { mailInvitation } from './mails.ts'
import type { Members } from './members.ts'
import { INVITATIONS_MAX, type NewInvitation, type OneTimeLinks } from './one-time-links.ts'

export type InvitationOptions = {
  links: OneTimeLinks
  /** Null where the service sends no mail: then only the operator invites. */
  mail: Mail | null
  publicUrl: string
  log: Log
}

/** Mails that one lender's owners may send. */
const INVITATION_TRIES = { triesMax: 30, windowMs: HOUR_MS }

/** Why nothing was sent, in words. */
export type NotInvited = {
  problem: string
  /** `limit`: there are too many; `mail`: the mail server failed; `never`: this service sends none. */
  why: 'member' | 'limit' | 'mail' | 'never'
}

type Inviting = NewInvitation & {
  by: { id: string; name: string }
  tenantName: string
  requestId: string
}

/**
 * Resolves to null when they are invited. For a stranger nothing depends on whether the address has an account: same
 * work, same words.
 */
export function createInvite({
  links,
  mail,
  publicUrl,
  log,
  members,
  guesses,
}: InvitationOptions & { members: Members; guesses: Guesses }) {
  return async (act: Transactions, { tenantName, requestId, ...person }: Inviting): Promise<NotInvited | null> => {
    const { tenantId, email, by } = person
    const member = (await members.list(tenantId)).find((each) => each.email === email)
    const isOffer = member !== undefined && member.role !== 'owner' && person.role === 'owner'
    if (mail === null && !isOffer)
      return { why: 'never', problem: 'This service sends no mail. Ask its operator for an invitation.' }
    if (member !== undefined && !isOffer)
      return { why: 'member', problem: 'They act for this lender already. Change their role in the list.' }
    const seconds = await guesses.take(`invitations ${tenantId}`, INVITATION_TRIES)
    if (seconds !== null) {
      const problem = `Too many invitations. Wait ${Math.ceil(seconds / 60)} minutes, then try again.`
      return { why: 'limit', problem }
    }
    const link = await links.invite(act, person)
    if (link === null) return { why: 'limit', problem: `${INVITATIONS_MAX} invitations are open. Withdraw some first.` }
    if (mail === null) return null
    try {
      const { role } = person
      await mailInvitation(mail, { publicUrl }, { to: email, tenantName, role, invitedBy: by.name, link })
      return null
    } catch (error) {
      await links.discard(link)
      log.warn('invitation not mailed', { tenantId, requestId, ...describeError(error) })
      return { why: 'mail', problem: 'The mail server did not take the invitation. Invite them again later.' }
    }
  }
}

export type Invite = ReturnType<typeof createInvite>
