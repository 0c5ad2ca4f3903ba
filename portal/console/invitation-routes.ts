// Accepting an invitation with an account of one's own.
import type { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import { ACCEPT_PATH, actOf } from '../link-routes.ts'
import type { OneTimeLinks } from '../one-time-links.ts'
import { invited } from '../pages/link-pages.ts'
import type { Visit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'

type AcceptOptions = { database: Database; clock: Clock; trustedHops: number; links: OneTimeLinks; visits: Visits }

const OVER = { refused: 'This invitation was used, withdrawn, or is too old. Ask for a new one.' }

export function acceptRoutes({ links, visits, ...auditing }: AcceptOptions): Hono<ServiceEnv> {
  const { routes, ask } = visits.personPages()

  async function find(context: PageContext, { user }: Visit) {
    const token = context.req.param('token') ?? ''
    const invitation = await links.find(token, 'invitation')
    if (invitation?.kind !== 'invitation') return OVER
    if (invitation.email === user.email) return { token, ...invitation }
    return {
      refused: `You are signed in as ${user.email}. Sign out, then open the link again and sign in as the person it was sent to.`,
    }
  }

  ask(
    `${ACCEPT_PATH}/:token`,
    '/console',
    async (context, visit) => {
      const invitation = await find(context, visit)
      if ('refused' in invitation) return invitation
      return { title: `Join ${invitation.tenantName}?`, body: invited(invitation), button: 'Accept' }
    },
    async (context, visit) => {
      const invitation = await find(context, visit)
      if ('refused' in invitation) return invitation
      const { token, tenantId, tenantName } = invitation
      const { id: userId, firstName, lastName, email } = visit.user
      const who = { userId, name: `${firstName} ${lastName}`, email }
      const act = actOf(context, auditing, { ...who, tenantIds: [tenantId], action: 'invitation.accept' })
      return (await links.accept(act, token, visit.user)) ? { notice: `You act for ${tenantName} now.` } : OVER
    },
  )

  return routes
}
