import type { KeyList } from '../../kit/keys.ts'
import {
  type Command,
  type CommandInput,
  printRows,
  Refused,
  requireTenantId,
  requireWord,
  UsageError,
} from '../../service/command.ts'
import { deriveKeys } from '../../service/keys.ts'
import { listDeliveries, resend } from './deliveries.ts'
import { addEndpoint, ENDPOINTS_MAX, listEndpoints, removeEndpoint, rotateSecret } from './endpoints.ts'
import { problemOfTarget, webhookRulesOf } from './target.ts'

const DELIVERIES_SHOWN = 50
const SHOWN_ONCE = 'the secret is shown once: hand it over now'

const addWebhookCommand: Command = {
  name: 'webhook add',
  usage: 'TENANT URL',
  summary: 'tells a lender’s server there how its reports end; shows the signing secret once',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const url = requireWord(input, 1, 'the address')
    const problem = problemOfTarget(url, webhookRulesOf(input.config))
    if (problem !== null) throw new UsageError(problem)
    const added = await addEndpoint(input.act, keyOf(input), { tenantId, url, nowMs: input.nowMs })
    if (added === null) throw new Refused(`"${tenantId}" has ${ENDPOINTS_MAX} webhooks already; remove one first`)
    input.print(`webhook  ${added.id}`)
    input.print(`secret   ${added.secret}`)
    input.print(SHOWN_ONCE)
    return 0
  },
}

const listWebhooksCommand: Command = {
  name: 'webhook list',
  usage: 'TENANT [--parked] [--json]',
  summary: 'shows where a lender’s events go, and what became of the newest; with --parked those that were given up',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    printRows(
      input,
      ['webhook', 'url'],
      (await listEndpoints(input.database, tenantId)).map(({ id, url }) => ({ webhook: id, url })),
    )
    const wanted = { tenantId, limit: DELIVERIES_SHOWN }
    const status = input.options.parked === true ? { status: 'parked' as const } : {}
    const deliveries = await listDeliveries(input.database, { ...wanted, ...status })
    const rows = deliveries.map((delivery) => ({
      ...delivery,
      createdAt: new Date(delivery.createdAtMs).toISOString(),
    }))
    printRows(input, ['createdAt', 'status', 'attempts', 'type', 'id', 'lastOutcome'], rows)
    return 0
  },
}

const rotateWebhookCommand: Command = {
  name: 'webhook rotate',
  usage: 'TENANT WEBHOOK [--drop-old]',
  summary: 'gives it a new signing secret; the one before stays good until the next time, or ends now with --drop-old',
  role: 'operator',
  async run(input) {
    const name = await requireEndpoint(input)
    const secret = await rotateSecret(input.act, keyOf(input), name, {
      dropOld: input.options['drop-old'] === true,
    })
    if (secret === null) throw unknownWebhook(name)
    input.print(`secret   ${secret}`)
    input.print(SHOWN_ONCE)
    return 0
  },
}

const removeWebhookCommand: Command = {
  name: 'webhook remove',
  usage: 'TENANT WEBHOOK',
  summary: 'sends nothing there any more and forgets what was on its way',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const name = await requireEndpoint(input)
    if (!(await removeEndpoint(input.act, name))) throw unknownWebhook(name)
    input.print(`webhook ${name.id} removed`)
    return 0
  },
}

const resendWebhookCommand: Command = {
  name: 'webhook resend',
  usage: 'TENANT [EVENT]',
  summary: 'sends one event again, or all that failed so far',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const id = input.words[1] ?? null
    const count = await resend(input.act, { tenantId, id, nowMs: input.nowMs })
    input.print(`${count} to be sent again`)
    return count === 0 && id !== null ? 1 : 0
  },
}

export const webhookCommands: readonly Command[] = [
  addWebhookCommand,
  listWebhooksCommand,
  rotateWebhookCommand,
  removeWebhookCommand,
  resendWebhookCommand,
]

async function requireEndpoint(input: CommandInput): Promise<{ tenantId: string; id: string }> {
  const tenantId = await requireTenantId(input)
  const id = requireWord(input, 1, 'the webhook’s id')
  return { tenantId, id }
}

function unknownWebhook({ tenantId, id }: { tenantId: string; id: string }): Refused {
  return new Refused(`"${tenantId}" has no webhook "${id}"`)
}

function keyOf({ config }: CommandInput): KeyList {
  return deriveKeys(config.secretKeys).webhooks
}
