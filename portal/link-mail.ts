// Where a one-time link leads, and the one place that delivers it.
import type { Mail } from '../service/providers/mail.ts'
import type { NewLink } from './one-time-links.ts'
import { SERVICE_NAME } from './pages/layout.ts'

type Place = { publicUrl: string }

export const INVITATION_PATH = '/invitations'
export const PASSWORD_PATH = '/password-links'

export function invitationUrl({ publicUrl }: Place, { token }: Pick<NewLink, 'token'>): string {
  return `${publicUrl}${INVITATION_PATH}/${token}`
}

export function passwordUrl({ publicUrl }: Place, { token }: Pick<NewLink, 'token'>): string {
  return `${publicUrl}${PASSWORD_PATH}/${token}`
}

const UNTIL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/London' })

type InvitationMail = { to: string; tenantName: string; invitedBy: string; link: NewLink }

/** The mail is the proof that the address is the invited person's: the link is shown nowhere else. */
export function mailInvitation(
  mail: Mail,
  place: Place,
  { to, tenantName, invitedBy, link }: InvitationMail,
): Promise<void> {
  const text = [
    `${invitedBy} invites you to act for ${tenantName} in the console of ${SERVICE_NAME}.`,
    `Open this link to accept. It works once, until ${UNTIL.format(link.expiresAtMs)}:\n${invitationUrl(place, link)}`,
    'If you did not expect this, delete this mail: nothing happens without the link.',
  ]
  return mail.send({ to, subject: `Invitation to ${tenantName}`, text: `${text.join('\n\n')}\n` })
}

export function mailPasswordLink(mail: Mail, place: Place, { to, link }: { to: string; link: NewLink }): Promise<void> {
  const text = [
    `This link sets a new password for your account at ${SERVICE_NAME}. It works once, until ${UNTIL.format(link.expiresAtMs)}:\n${passwordUrl(place, link)}`,
    'If you did not ask for it, delete this mail: your password stays as it is.',
  ]
  return mail.send({ to, subject: 'New password', text: `${text.join('\n\n')}\n` })
}
