// What a one-time link opens. A token makes a new account, or gives an account whose password was taken away a new one. It
// never signs anyone in, and never touches an account that has its own password: that accepts in a session of its own.
import { type Context, Hono } from 'hono'
import { requiredString } from '../contract/bounded-string.ts'
import { read } from '../contract/problems.ts'
import type { Clock } from '../kit/clock.ts'
import { type Act, createAct } from '../service/audit/act.ts'
import { clientAddress } from '../service/http/client-address.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { requireOwnPage } from '../service/http/protect.ts'
import type { Database } from '../service/store/database.ts'
import { newId } from '../service/store/new-id.ts'
import { INVITATION_PATH, PASSWORD_PATH } from './link-mail.ts'
import type { OneTimeLinks } from './one-time-links.ts'
import { answerPage } from './pages/layout.ts'
import { haveAccountPage, type LinkProblems, newAccountPage, newPasswordPage, overPage } from './pages/link-pages.ts'
import { hashPassword, problemOfNewPassword } from './password.ts'
import { readForm } from './read-form.ts'
import type { Users } from './users.ts'

export const ACCEPT_PATH = '/console/invitations'
const SIGN_IN = '/v1/oauth/login?returnTo=/console'
const Name = requiredString(100)

type LinkRouteOptions = {
  database: Database
  clock: Clock
  trustedHops: number
  links: OneTimeLinks
  users: Users
  /** False when another provider looks after passwords. */
  hasOwnLogin: boolean
}

type LinkContext = Context<ServiceEnv>

export function linkRoutes({ links, users, hasOwnLogin, ...auditing }: LinkRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  const { clock } = auditing

  async function findInvitation(context: LinkContext) {
    const token = context.req.param('token') ?? ''
    const found = await links.find(token, 'invitation')
    if (found?.kind !== 'invitation') return null
    const hasAccount = (await users.findByEmail(found.email)) !== null
    return { token, hasAccount, ...found }
  }

  routes.get(`${INVITATION_PATH}/:token`, async (context) => {
    const invitation = await findInvitation(context)
    if (invitation === null) return over(context)
    if (invitation.hasAccount) return answerPage(context, haveAccountPage(invitation, acceptPathOf(invitation.token)))
    return answerPage(context, newAccountPage({ invitation, hasOwnLogin }))
  })

  routes.post(`${INVITATION_PATH}/:token`, async (context) => {
    requireOwnPage(context)
    const form = await readForm(context.req.raw)
    const invitation = await findInvitation(context)
    if (invitation === null) return over(context)
    const { token, hasAccount, tenantId } = invitation
    if (hasAccount) return context.redirect(acceptPathOf(token), 303)
    const typed = { firstName: form.get('firstName') ?? '', lastName: form.get('lastName') ?? '' }
    const [firstName, lastName] = [read(Name, typed.firstName), read(Name, typed.lastName)]
    const password = form.get('password') ?? ''
    const weak = hasOwnLogin ? problemOfNewPassword(password) : null
    if (!firstName.ok || !lastName.ok || weak !== null) {
      const problems: LinkProblems = {
        ...(firstName.ok ? {} : { firstName: 'Type your first name.' }),
        ...(lastName.ok ? {} : { lastName: 'Type your last name.' }),
        ...(weak === null ? {} : { password: weak }),
      }
      return answerPage(context, newAccountPage({ invitation, hasOwnLogin, typed, problems }), 400)
    }
    const id = newId(clock())
    const passwordHash = hasOwnLogin ? await hashPassword(password) : null
    const act = actOf(context, auditing, {
      userId: id,
      name: `${firstName.value} ${lastName.value}`,
      email: invitation.email,
      tenantId,
      action: 'invitation.accept',
    })
    const person = { id, firstName: firstName.value, lastName: lastName.value, passwordHash }
    const accepted = await links.acceptAsNew(act, token, person)
    if (accepted === null) return over(context)
    return context.redirect(accepted === 'exists' ? acceptPathOf(token) : SIGN_IN, 303)
  })

  if (hasOwnLogin) {
    routes.get(`${PASSWORD_PATH}/:token`, async (context) => {
      const link = await links.find(context.req.param('token'), 'password')
      return link === null ? over(context) : answerPage(context, newPasswordPage(link.email))
    })

    routes.post(`${PASSWORD_PATH}/:token`, async (context) => {
      requireOwnPage(context)
      const form = await readForm(context.req.raw)
      const token = context.req.param('token')
      const link = await links.find(token, 'password')
      if (link === null) return over(context)
      const password = form.get('password') ?? ''
      const weak = problemOfNewPassword(password)
      if (weak !== null) return answerPage(context, newPasswordPage(link.email, weak), 400)
      const account = await users.findAccount('email', link.email)
      const who = { userId: account?.userId ?? null, name: account?.name ?? null, email: link.email }
      const act = actOf(context, auditing, { ...who, tenantId: null, action: 'password.set' })
      const isSet = await links.setPassword(act, token, await hashPassword(password))
      return isSet ? context.redirect(SIGN_IN, 303) : over(context)
    })
  }

  return routes
}

function acceptPathOf(token: string): string {
  return `${ACCEPT_PATH}/${token}`
}

function over(context: LinkContext) {
  return answerPage(context, overPage(), 404)
}

type Done = { userId: string | null; name: string | null; email: string; tenantId: string | null; action: string }

/** Only what was done is written down: strangers who try tokens leave no line, and no token is ever in one. */
export function actOf(
  context: LinkContext,
  { database, clock, trustedHops }: Pick<LinkRouteOptions, 'database' | 'clock' | 'trustedHops'>,
  { userId, name, email, tenantId, action }: Done,
): Act {
  return createAct(database, () => [
    {
      atMs: clock(),
      tenantId,
      actorKind: 'person',
      actorId: userId,
      actorName: name,
      actorEmail: email,
      action,
      object: null,
      address: clientAddress(context, trustedHops),
    },
  ])
}
