// The mailbox of the demo: the mails that its service sends, to be read in a browser.
import type { Clock } from '../../kit/clock.ts'
import type { Mail, MailMessage } from '../../portal/identity/mail.ts'

const MESSAGES_MAX = 100

export type Mailbox = Mail & {
  /** Newest first. */
  messages(): readonly (MailMessage & { sentAtMs: number })[]
}

export function createMailbox(clock: Clock): Mailbox {
  const messages: (MailMessage & { sentAtMs: number })[] = []
  return {
    messages: () => messages,
    async send(message) {
      messages.unshift({ ...message, sentAtMs: clock() })
      messages.length = Math.min(messages.length, MESSAGES_MAX)
    },
  }
}
