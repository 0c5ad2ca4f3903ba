// The pages of one-time links, and asking for one after forgetting a password. A token makes a new account or sets a
// new password. It never signs anyone in or touches a second factor, and an account accepts an invitation in a session
// of its own.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { Email } from '../../contract/generate.ts'
import { read } from '../../contract/problems.ts'
import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { keyedIndex } from '../../kit/keys.ts'
import { householdOf } from '../../kit/network.ts'
import { newId } from '../../kit/new-id.ts'
import type { AuditAction } from '../../openapi/audit-actions.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Acting } from '../../service/http/acting.ts'
import { clientAddress } from '../../service/http/client-address.ts'
import type { Account, ServiceEnv } from '../../service/http/context.ts'
import { requireOwnPage } from '../../service/http/protect.ts'
import type { Log } from '../../service/log.ts'
import { answerPage } from '../pages/layout.ts'
import type { Guesses } from './guesses.ts'
import {
  ACCEPT_PATH,
  forgottenPage,
  haveAccountPage,
  type LinkProblems,
  newAccountPage,
  newPasswordPage,
  overPage,
  SIGN_IN,
} from './link-pages.ts'
import type { Mail } from './mail.ts'
import { INVITATION_PATH, mailPasswordLink, PASSWORD_PATH, passwordChangedMail } from './mails.ts'
import type { Notify } from './notify.ts'
import type { Invitation, OneTimeLinks } from './one-time-links.ts'
import { hashPassword, problemOfNewPassword } from './password.ts'
import { PERSON_NAME_LENGTH_MAX, PersonName } from './person-name.ts'
import { readForm } from './read-form.ts'
import type { ReadyAccounts } from './ready-accounts.ts'
import { normaliseEmail, type Users } from './users.ts'

const NAME_WORDS = `At most ${PERSON_NAME_LENGTH_MAX} characters, with letters, and without an address of a website.`

/** Links that may be asked for: each is a mail in a person's mailbox. */
const FORGOTTEN_PER_ACCOUNT = { triesMax: 3, windowMs: HOUR_MS }
const FORGOTTEN_PER_NETWORK = { triesMax: 20, windowMs: HOUR_MS }

type LinkRouteOptions = {
  clock: Clock
  trustedHops: number
  links: OneTimeLinks
  users: Users
  /** Null when another provider looks after them. */
  passwords: PasswordOptions | null
}

type PasswordOptions = {
  /** Null where the service sends none. */
  mail: Mail | null
  publicUrl: string
  guesses: Guesses
  indexKey: Uint8Array
  readyAccounts: Pick<ReadyAccounts, 'keep'>
  notify: Notify
  log: Log
}

type LinkContext = Context<ServiceEnv>

export function linkRoutes({ links, users, passwords, clock, trustedHops }: LinkRouteOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  const hasOwnLogin = passwords !== null

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
    if (invitation.hasAccount) return answerPage(context, haveAccountPage(invitation, acceptPathOf(invitation)))
    return answerPage(context, newAccountPage({ invitation, hasOwnLogin }))
  })

  routes.post(`${INVITATION_PATH}/:token`, async (context) => {
    requireOwnPage(context)
    const form = await readForm(context.req.raw)
    const invitation = await findInvitation(context)
    if (invitation === null) return over(context)
    const { token, hasAccount, tenantId } = invitation
    if (hasAccount) return context.redirect(acceptPathOf(invitation), 303)
    const typed = { firstName: form.get('firstName') ?? '', lastName: form.get('lastName') ?? '' }
    const [firstName, lastName] = [read(PersonName, typed.firstName), read(PersonName, typed.lastName)]
    const password = form.get('password') ?? ''
    const own = [invitation.email, typed.firstName, typed.lastName]
    const weak = hasOwnLogin ? problemOfNewPassword(password, own) : null
    if (!firstName.ok || !lastName.ok || weak !== null) {
      const problems: LinkProblems = {
        ...(firstName.ok ? {} : { firstName: `Type your first name. ${NAME_WORDS}` }),
        ...(lastName.ok ? {} : { lastName: `Type your last name. ${NAME_WORDS}` }),
        ...(weak === null ? {} : { password: weak }),
      }
      return answerPage(context, newAccountPage({ invitation, hasOwnLogin, typed, problems }), 400)
    }
    const id = newId(clock())
    const passwordHash = hasOwnLogin ? await hashPassword(password) : null
    const act = actOf(context, {
      userId: id,
      name: `${firstName.value} ${lastName.value}`,
      email: invitation.email,
      tenantIds: [tenantId],
      action: 'invitation.accept',
    })
    const person = { id, firstName: firstName.value, lastName: lastName.value, passwordHash }
    const accepted = await links.acceptAsNew(act, token, person)
    if (accepted === null) return over(context)
    if (accepted === 'exists') return context.redirect(acceptPathOf(invitation), 303)
    await passwords?.readyAccounts.keep(context, { email: invitation.email, isNew: true })
    return context.redirect(SIGN_IN, 303)
  })

  if (passwords !== null) routes.route('/', passwordRoutes(passwords, { links, users, clock, trustedHops }))
  return routes
}

type AccountOptions = Omit<LinkRouteOptions, 'passwords'>

function passwordRoutes(
  { mail, publicUrl, guesses, indexKey, readyAccounts, notify, log }: PasswordOptions,
  { links, users, clock, trustedHops }: AccountOptions,
): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  const sendsMail = mail !== null

  routes.get(PASSWORD_PATH, (context) =>
    answerPage(context, forgottenPage({ sendsMail, isSent: context.req.query('sent') !== undefined })),
  )

  // The answer is given before it is known whether there is such an account: same words, same time.
  routes.post(PASSWORD_PATH, async (context) => {
    requireOwnPage(context)
    const form = await readForm(context.req.raw)
    if (mail === null) return answerPage(context, forgottenPage({ sendsMail }), 409)
    const typed = (form.get('email') ?? '').trim()
    const email = read(Email, normaliseEmail(typed))
    if (!email.ok) {
      const problem = 'Type an e-mail address, for example pat@lender.example.'
      return answerPage(context, forgottenPage({ sendsMail, email: typed, problem }), 400)
    }
    const seconds = await countForgotten(context, email.value)
    if (seconds > 0) {
      context.header('Retry-After', String(seconds))
      const problem = `Too many requests. Wait ${Math.ceil(seconds / 60)} minutes, then try again.`
      return answerPage(context, forgottenPage({ sendsMail, email: typed, problem }), 429)
    }
    void sendPasswordLink(mail, context, email.value).catch((error: unknown) =>
      log.warn('password link not mailed', { requestId: context.get('requestId'), ...describeError(error) }),
    )
    return context.redirect(`${PASSWORD_PATH}?sent`, 303)
  })

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
    const weak = problemOfNewPassword(password, [link.email])
    if (weak !== null) return answerPage(context, newPasswordPage(link.email, weak), 400)
    const account = await users.findAccount('email', link.email)
    if (account === undefined) return over(context)
    const act = actOf(context, { ...account, action: 'password.set' })
    const isSet = await links.setPassword(act, token, await hashPassword(password))
    if (!isSet) return over(context)
    notify([{ id: account.userId, email: link.email }], passwordChangedMail({ publicUrl }, clock()))
    await readyAccounts.keep(context, { email: link.email, isNew: false })
    return context.redirect(SIGN_IN, 303)
  })

  return routes

  /** Seconds to wait; 0 for none. */
  async function countForgotten(context: LinkContext, email: string): Promise<number> {
    const address = clientAddress(context, trustedHops)
    const subjects = [
      [`forgotten from ${indexOf(address === null ? 'unknown' : householdOf(address))}`, FORGOTTEN_PER_NETWORK],
      [`forgotten ${indexOf(email)}`, FORGOTTEN_PER_ACCOUNT],
    ] as const
    for (const [subject, limit] of subjects) {
      const seconds = await guesses.take(subject, limit)
      if (seconds !== null) return seconds
    }
    return 0
  }

  /** Neither e-mail nor network addresses are kept, only what tells them apart. */
  function indexOf(value: string): string {
    return keyedIndex(indexKey, 'forgotten password', value)
  }

  async function sendPasswordLink(by: Mail, context: LinkContext, email: string): Promise<void> {
    await nextTurn()
    const account = await users.findAccount('email', email)
    if (account === undefined) return
    const act = actOf(context, { ...account, action: 'password-link.send', isProven: false })
    const link = await links.forgotPassword(act, { id: account.userId, email: account.email })
    if (link === null) return
    try {
      await mailPasswordLink(by, { publicUrl }, { to: account.email, link })
    } catch (error) {
      await links.discard(link)
      throw error
    }
  }
}

function acceptPathOf({ id }: Pick<Invitation, 'id'>): string {
  return `${ACCEPT_PATH}/${id}`
}

function over(context: LinkContext) {
  return answerPage(context, overPage(), 404)
}

type Done = Account & {
  action: AuditAction
  /** False where nothing proves that the account's own person asked. @default true */
  isProven?: boolean
}

/**
 * Only what was done is written down, for each lender of the person: strangers who try tokens leave no line, and no
 * token is ever in one.
 */
export function actOf(context: LinkContext, { userId, name, email, tenantIds, action, isProven = true }: Done): Acting {
  const who = isProven
    ? { actorKind: 'person' as const, actorId: userId, object: null }
    : { actorKind: 'unknown' as const, actorId: null, object: userId }
  return context.get('actAs')(action, { ...who, tenantIds, actorName: name, actorEmail: email })
}
