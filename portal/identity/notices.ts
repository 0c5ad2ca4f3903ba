// Mails to a lender's people about what does not wait until they look: a low balance, a webhook that fails. Each is
// mailed once for as long as it lasts.
//
//   found ──▶ claimed ──▶ sent ──▶ over: the row is deleted, and the next time is mailed again
//               │  ▲
//               └──┘ not sent, or cut off: after ten minutes
import type { Role } from '../../contract/roles.ts'
import type { Clock } from '../../kit/clock.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Log } from '../../service/log.ts'
import type { Database, SqlValue } from '../../service/store/database.ts'
import type { Mail, MailMessage } from './mail.ts'
import { failingWebhookMail, lowBalanceMail } from './mails.ts'
import type { Members } from './members.ts'

const CLAIM_MS = 600_000
/** In one round; the others follow in the next. */
const NOTICES_AT_ONCE = 20
/** Attempts before a webhook counts as failing: these take thirteen minutes. */
const ATTEMPTS_FAILED = 5

type Found = { about: string; tenant_id: string; tenant_name: string; [column: string]: SqlValue }

type Kind = {
  name: string
  /** The roles whose work it is. */
  to: readonly Role[]
  /** Each thing there is a reason to mail about now. */
  lasting: string
  write(found: Found): Omit<MailMessage, 'to'>
}

function kindsOf(publicUrl: string): readonly Kind[] {
  const place = { publicUrl }
  return [
    {
      name: 'low-balance',
      to: ['owner', 'finance'],
      lasting: `SELECT tenant.id AS about, tenant.id AS tenant_id, name AS tenant_name, balance_credits, low_balance_credits
        FROM tenant JOIN wallet ON wallet.tenant_id = tenant.id WHERE balance_credits < low_balance_credits`,
      write: ({ tenant_name: tenantName, balance_credits, low_balance_credits }) =>
        lowBalanceMail(place, {
          tenantName,
          balanceCredits: Number(balance_credits),
          thresholdCredits: Number(low_balance_credits),
        }),
    },
    {
      name: 'failing-webhook',
      to: ['owner', 'developer'],
      lasting: `SELECT endpoint_id AS about, tenant.id AS tenant_id, name AS tenant_name, url, MAX(last_outcome) AS outcome
        FROM webhook_delivery JOIN webhook_endpoint ON webhook_endpoint.id = endpoint_id
        JOIN tenant ON tenant.id = webhook_endpoint.tenant_id
        WHERE status = 'queued' AND attempts >= ${ATTEMPTS_FAILED} GROUP BY endpoint_id, tenant.id, name, url`,
      write: ({ tenant_name: tenantName, url, outcome }) =>
        failingWebhookMail(place, { tenantName, url: String(url), lastAnswer: String(outcome ?? 'none') }),
    },
  ]
}

type NoticeOptions = {
  database: Database
  clock: Clock
  log: Log
  mail: Mail
  publicUrl: string
  members: Members
}

/** A task of the sweeper. Mails are sent after it has resolved: a slow mail server does not hold up the other tasks. */
export function createNotices({
  database,
  clock,
  log,
  mail,
  publicUrl,
  members,
}: NoticeOptions): () => Promise<number> {
  const kinds = kindsOf(publicUrl)

  async function sweepKind(kind: Kind): Promise<number> {
    await database.run(
      `DELETE FROM mail_notice WHERE kind = ? AND about NOT IN (SELECT about FROM (${kind.lasting}) AS lasting)`,
      kind.name,
    )
    const untilMs = clock() - CLAIM_MS
    const due = await database.all<Found>(
      `SELECT * FROM (${kind.lasting}) AS lasting WHERE NOT EXISTS (
         SELECT 1 FROM mail_notice WHERE kind = ? AND mail_notice.about = lasting.about
           AND (sent_at_ms IS NOT NULL OR claimed_at_ms > ?)) LIMIT ${NOTICES_AT_ONCE}`,
      kind.name,
      untilMs,
    )
    for (const found of due) {
      const claimed = await database.run(
        `INSERT INTO mail_notice (kind, about, claimed_at_ms) VALUES (?, ?, ?)
         ON CONFLICT (kind, about) DO UPDATE SET claimed_at_ms = excluded.claimed_at_ms
         WHERE mail_notice.sent_at_ms IS NULL AND mail_notice.claimed_at_ms <= ?`,
        kind.name,
        found.about,
        clock(),
        untilMs,
      )
      if (claimed === 1) void send(kind, found)
    }
    return due.length
  }

  /** One address that the mail server refuses does not keep the others from theirs. */
  async function send(kind: Kind, found: Found): Promise<void> {
    const names = { jobId: kind.name, tenantId: found.tenant_id }
    try {
      const message = kind.write(found)
      const readers = (await members.list(found.tenant_id)).filter(({ role }) => kind.to.includes(role))
      const sent = await Promise.allSettled(readers.map(({ email }) => mail.send({ ...message, to: email })))
      const failed = sent.find((each) => each.status === 'rejected')
      if (failed) log.warn('notice not mailed to everyone', { ...names, ...describeError(failed.reason) })
      // Mailed to some: again for all would be worse.
      if (failed && sent.every(({ status }) => status === 'rejected')) return
      await database.run(
        'UPDATE mail_notice SET sent_at_ms = ? WHERE kind = ? AND about = ?',
        clock(),
        kind.name,
        found.about,
      )
    } catch (error) {
      log.warn('notice not mailed', { ...names, ...describeError(error) })
    }
  }

  return async () => {
    let count = 0
    for (const kind of kinds) count += await sweepKind(kind)
    return count
  }
}
