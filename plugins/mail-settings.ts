// The mail server for mail to a lender's people, which the portal sends.
import type { SettingReader } from '../kit/setting-reader.ts'

export type MailSettings = { url: string; from: string }

/** `SMTP_URL` and `MAIL_FROM`; null where no mail is sent. */
export function readMailSettings(read: SettingReader): MailSettings | null {
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:'], { secret: true })
  if (url === null) return null
  return { url, from: read.needed(read.string('MAIL_FROM', '') || null, 'MAIL_FROM', 'SMTP_URL is set') }
}
