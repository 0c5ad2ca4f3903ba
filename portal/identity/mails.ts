// Every mail to a lender's people, in words; and where a one-time link leads.

import { showCredits } from '../../contract/money.ts'
import type { Role } from '../../contract/roles.ts'
import { dateFormat } from '../../kit/date-format.ts'
import { SERVICE_NAME } from '../pages/layout.ts'
import type { Mail, MailMessage } from './mail.ts'
import type { NewLink } from './one-time-links.ts'

type Place = { publicUrl: string }

export const INVITATION_PATH = '/invitations'
export const PASSWORD_PATH = '/password-links'

export function invitationUrl({ publicUrl }: Place, { token }: Pick<NewLink, 'token'>): string {
  return `${publicUrl}${INVITATION_PATH}/${token}`
}

export function passwordUrl({ publicUrl }: Place, { token }: Pick<NewLink, 'token'>): string {
  return `${publicUrl}${PASSWORD_PATH}/${token}`
}

const showTime = dateFormat({ dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/London' })

type InvitationMail = { to: string; tenantName: string; role: Role; invitedBy: string; link: NewLink }

/** The mail is the proof that the address is the invited person's: the link is shown nowhere else. */
export function mailInvitation(
  mail: Mail,
  place: Place,
  { to, tenantName, role, invitedBy, link }: InvitationMail,
): Promise<void> {
  const text = [
    `${invitedBy} invites you to act for ${tenantName} as ${role} in the console of ${SERVICE_NAME}.`,
    `Open this link to accept. It works once, until ${showTime(link.expiresAtMs)}:\n${invitationUrl(place, link)}`,
    'If you did not expect this, delete this mail: nothing happens without the link.',
  ]
  return mail.send({ to, subject: `Invitation to ${tenantName}`, text: letter(text) })
}

export function mailPasswordLink(mail: Mail, place: Place, { to, link }: { to: string; link: NewLink }): Promise<void> {
  const text = [
    `This link sets a new password for your account at ${SERVICE_NAME}. It works once, until ${showTime(link.expiresAtMs)}:\n${passwordUrl(place, link)}`,
    'If you did not ask for it, delete this mail: your password stays as it is.',
  ]
  return mail.send({ to, subject: 'New password', text: letter(text) })
}

type SignIn = { to: string; browser: string | null; atMs: number }

/** To the person who signed in, from a browser that has not done so before. */
export function mailNewSignIn(mail: Mail, { publicUrl }: Place, { to, browser, atMs }: SignIn): Promise<void> {
  const text = [
    `Your account at ${SERVICE_NAME} was signed in to on ${showTime(atMs)}, from a new browser${browser === null ? '' : `: ${browser}`}.`,
    'If this was you, there is nothing to do.',
    `If it was not, change your password and end that session now:\n${publicUrl}/console/profile`,
  ]
  return mail.send({ to, subject: 'New sign-in', text: letter(text) })
}

type Words = Omit<MailMessage, 'to'>

export function passwordChangedMail({ publicUrl }: Place, atMs: number): Words {
  const text = [
    `The password of your account at ${SERVICE_NAME} was changed on ${showTime(atMs)}. You were signed out everywhere else.`,
    'If this was you, there is nothing to do.',
    `If it was not, set a new password now:\n${publicUrl}${PASSWORD_PATH}`,
  ]
  return { subject: 'Your password was changed', text: letter(text) }
}

export function secondFactorOffMail({ publicUrl }: Place, atMs: number): Words {
  const text = [
    `Two-step sign-in of your account at ${SERVICE_NAME} was turned off on ${showTime(atMs)}: your password alone signs in now.`,
    `If it was not you, change your password and turn it on again now:\n${publicUrl}/console/profile`,
  ]
  return { subject: 'Two-step sign-in was turned off', text: letter(text) }
}

type RoleChange = { tenantName: string; by: string; from: Role; to: Role }

export function roleChangedMail({ publicUrl }: Place, { tenantName, by, from, to }: RoleChange): Words {
  const text = [
    `${by} made you ${to} at ${tenantName}. You were ${from}.`,
    `What you may do there now:\n${publicUrl}/console`,
  ]
  return { subject: `Your role at ${tenantName} was changed`, text: letter(text) }
}

export function removedMail({ tenantName, by }: { tenantName: string; by: string }): Words {
  const text = [
    `${by} removed you: you no longer act for ${tenantName} in the console of ${SERVICE_NAME}.`,
    'Your account stays yours. To come back you need a new invitation.',
  ]
  return { subject: `You no longer act for ${tenantName}`, text: letter(text) }
}

/** `secret`: in words what it is, never the secret. `page`: where it can be ended. */
type NewSecret = { tenantName: string; by: string; secret: string; page: string; atMs: number }

export function newSecretMail({ publicUrl }: Place, { tenantName, by, secret, page, atMs }: NewSecret): Words {
  const text = [
    `${by} made ${secret} of ${tenantName} on ${showTime(atMs)}.`,
    `If you did not expect this, ask them, or end it now:\n${publicUrl}${page}`,
  ]
  return { subject: `${tenantName}: a new secret`, text: letter(text) }
}

type LowBalance = { tenantName: string; balanceCredits: number; thresholdCredits: number }

export function lowBalanceMail({ publicUrl }: Place, { tenantName, balanceCredits, thresholdCredits }: LowBalance) {
  const text = [
    `The balance of ${tenantName} is ${showCredits(balanceCredits)}. Your alert is set at ${showCredits(thresholdCredits)}.`,
    'When the balance pays no report, checks are refused. Ask your operator to top it up.',
    `Balance, spend and the alert:\n${publicUrl}/console/money`,
  ]
  return { subject: `${tenantName}: the balance is low`, text: letter(text) }
}

type FailingWebhook = { tenantName: string; url: string; lastAnswer: string }

export function failingWebhookMail({ publicUrl }: Place, { tenantName, url, lastAnswer }: FailingWebhook) {
  const text = [
    `Events of ${tenantName} do not reach ${url}.`,
    `The last answer: ${lastAnswer}. Each event is tried again for three days, then it waits for you to send it again.`,
    `Every event and its last answer:\n${publicUrl}/console/webhooks`,
  ]
  return { subject: `${tenantName}: events are not delivered`, text: letter(text) }
}

function letter(paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`
}
