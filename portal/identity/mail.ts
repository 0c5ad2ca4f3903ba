// Mail to people who act for a lender. Nothing about consumers is ever mailed.
import { isLoopbackHost } from '../../kit/network.ts'
import type { MailSettings } from '../../plugins/mail-settings.ts'

export type MailMessage = { to: string; subject: string; text: string }

export interface Mail {
  /** Resolves once the mail server has taken the message; rejects when it did not. */
  send(message: MailMessage): Promise<void>
}

/** A slow mail server must not hold a request for minutes. */
const TIMEOUT_MS = 10_000

export function createSmtpMail({ url, from }: MailSettings): Mail {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // Links in mails sign people up: they travel encrypted, or to this very machine.
    requireTLS: !secure && !isLoopbackHost(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Messages are text alone.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  return {
    async send({ to, subject, text }) {
      // Loaded with the first message: an installation without mail never needs it.
      const { createTransport } = await import('nodemailer')
      // As an object the address is not parsed: a comma in it makes no second recipient.
      await createTransport(options).sendMail({ from, to: { name: '', address: to }, subject, text })
    },
  }
}
