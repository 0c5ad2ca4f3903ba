// Webhooks: tells a lender's server how checks end and what becomes of its credits, for lenders.
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import type { Telemetry } from '../../service/telemetry.ts'
import { webhookActs } from './acts.ts'
import { forgetDeliveries, forgetOldDeliveries } from './deliveries.ts'
import { webhookRows } from './operations.ts'
import { queueEndEvent, queueWebhook } from './queue.ts'
import { webhookRoutes } from './routes.ts'
import { createWebhookSender, type WebhookSender } from './sender.ts'
import { webhookSealed, webhookTables } from './tables.ts'
import type { TargetRules } from './target.ts'
import { tellDeliveries } from './timeline.ts'
import { listWebhooksCommand } from './webhook-commands.ts'

export type WebhookOptions = {
  database: Database
  clock: Clock
  log: Log
  /** Seals the signing secrets. */
  keys: KeyList
  rules: TargetRules
  telemetry: Pick<Telemetry, 'count'>
}

/** `sender` is for the console, which sends tests. */
export function webhooks(options: WebhookOptions): Plugin & { sender: WebhookSender } {
  const { database, clock, log, keys, rules, telemetry } = options
  const onAttempt = (outcome: string) => telemetry.count('webhook_attempts_total', { outcome })
  const sender = createWebhookSender({ database, clock, log, keys, post: { rules }, onAttempt })
  return {
    name: 'webhooks',
    sender,
    tables: [webhookTables],
    sealed: webhookSealed,
    on: {
      end: (queries, check, end) => queueEndEvent(queries, check, end, clock()),
      erase: forgetDeliveries,
      announce: queueWebhook,
    },
    timeline: tellDeliveries,
    serve: async () => ({
      routes: webhookRoutes({ database, sender }),
      rows: [webhookRows],
    }),
    sweeps: () => ({ oldWebhooks: () => forgetOldDeliveries(database, clock()) }),
    start: () => sender.start(),
    acts: webhookActs,
    commands: [listWebhooksCommand],
  }
}
