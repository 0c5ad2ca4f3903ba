// Mails to people about what was done to their account or their lender's secrets. No request waits for one, or fails
// with it.
import { HOUR_MS } from '../../kit/clock.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Log } from '../../service/log.ts'
import type { Guesses } from './guesses.ts'
import type { Mail, MailMessage } from './mail.ts'

/** For one person: a colleague who changes a role back and forth does not fill their mailbox. */
const MAILS_MAX = { triesMax: 20, windowMs: HOUR_MS }

type Reader = { id: string; email: string }

export type Notify = (to: readonly Reader[], message: Omit<MailMessage, 'to'>) => void

/** `mail`: null where the service sends none. */
export function createNotify({ mail, guesses, log }: { mail: Mail | null; guesses: Guesses; log: Log }): Notify {
  if (mail === null) return () => {}
  return (to, message) => {
    for (const { id, email } of to) {
      void guesses
        .take(`notices to ${id}`, MAILS_MAX)
        .then((seconds) => (seconds === null ? mail.send({ ...message, to: email }) : undefined))
        .catch((error: unknown) => log.warn('person not mailed', describeError(error)))
    }
  }
}
