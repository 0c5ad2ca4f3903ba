// Mail to people who act for a lender. Nothing about consumers is ever mailed.
import type { Clock } from '../../kit/clock.ts'
import { isLoopbackHost } from '../../kit/network.ts'
import type { SettingReader } from '../setting-reader.ts'

export type MailMessage = { to: string; subject: string; text: string }

export interface Mail {
  /** Resolves once the mail server has taken the message; rejects when it did not. */
  send(message: MailMessage): Promise<void>
}

export type MailSettings = { url: string; from: string }

/** A slow mail server must not hold a request for minutes. */
const TIMEOUT_MS = 10_000
const MAILBOX_MESSAGES_MAX = 100

/** `SMTP_URL` and `MAIL_FROM`; null where no mail is sent. */
export function readMailSettings(read: SettingReader): MailSettings | null {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:'], { secret: true })
  if (url === null) return null
  return { url, from: read.needed(read.string('MAIL_FROM', '') || null, 'MAIL_FROM', 'SMTP_URL is set') }
}

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

export type Mailbox = Mail & {
  /** Newest first. */
  messages(): readonly (MailMessage & { sentAtMs: number })[]
}

/** The mailbox of the demo. */
export function createMailbox(clock: Clock): Mailbox {
  const messages: (MailMessage & { sentAtMs: number })[] = []
  return {
    messages: () => messages,
    async send(message) {
      messages.unshift({ ...message, sentAtMs: clock() })
      messages.length = Math.min(messages.length, MAILBOX_MESSAGES_MAX)
    },
  }
}
