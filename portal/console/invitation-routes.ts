// Accepting an invitation with an account of one's own: to join a lender, or to become an owner of one.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { ServiceEnv } from '../../service/http/context.ts'
import { ACCEPT_PATH, invited } from '../identity/link-pages.ts'
import { actOf } from '../identity/link-routes.ts'
import type { Invitation, OneTimeLinks } from '../identity/one-time-links.ts'
import type { Users } from '../identity/users.ts'
import type { Visit } from './frame.ts'
import type { PageContext, Refused, Visits } from './page-context.ts'

type AcceptOptions = {
  links: OneTimeLinks
  users: Users
  visits: Visits
}

const OVER = { refused: 'This invitation was used, withdrawn, or is too old. Ask for a new one.', status: 404 } as const

export function acceptRoutes({ links, users, visits }: AcceptOptions): Hono<ServiceEnv> {
  const { routes, ask } = visits.personPages()

  async function find(context: PageContext, { user }: Visit): Promise<Invitation | Refused> {
    const invitation = await links.findInvitation(context.req.param('invitationId') ?? '')
    if (invitation === null) return OVER
    if (invitation.email === user.email) return invitation
    return {
      refused: `You are signed in as ${user.email}. Sign out, then open the link again and sign in as the person it was sent to.`,
    }
  }

  ask(
    `${ACCEPT_PATH}/:invitationId`,
    '/console',
    async (context, visit) => {
      const invitation = await find(context, visit)
      if ('refused' in invitation) return invitation
      const { tenantName } = invitation
      const isMember = isMemberOf(invitation, visit)
      return {
        title: isMember ? `Become an owner of ${tenantName}?` : `Join ${tenantName}?`,
        body: html`${invited(invitation)}
  ${isMember ? html`<p>Until you accept, you keep the role you have.</p>` : ''}`,
        button: 'Accept',
      }
    },
    async (context, visit) => {
      const invitation = await find(context, visit)
      if ('refused' in invitation) return invitation
      const { tenantId } = invitation
      const { id: userId, firstName, lastName, email } = visit.user
      const who = { userId, name: `${firstName} ${lastName}`, email }
      const act = actOf(context, { ...who, tenantIds: [tenantId], action: 'invitation.accept' })
      // With a second lender one has to be selected: it stays the one they act for.
      if (visit.tenant !== null) await users.selectTenant(userId, visit.tenant.id)
      return (await links.accept(act, invitation, visit.user)) ? { notice: acceptedWords(invitation, visit) } : OVER
    },
  )

  return routes
}

function isMemberOf({ tenantId }: Invitation, { tenants }: Visit): boolean {
  return tenants.some(({ id }) => id === tenantId)
}

function acceptedWords(invitation: Invitation, visit: Visit): string {
  const { tenantName } = invitation
  if (isMemberOf(invitation, visit)) return `You are an owner of ${tenantName} now.`
  if (visit.tenants.length === 0) return `You act for ${tenantName} now.`
  return `You can act for ${tenantName} now. Choose it with “Change lender”.`
}
