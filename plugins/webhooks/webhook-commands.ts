import { printRows } from '../../kit/command-line.ts'
import { type Command, requireTenantId } from '../../service/command.ts'
import { listDeliveries } from './deliveries.ts'
import { listEndpoints } from './endpoints.ts'

const DELIVERIES_SHOWN = 50

export const listWebhooksCommand: Command = {
  name: 'webhook list',
  usage: 'TENANT [--parked] [--json]',
  summary: 'Show a lender’s webhooks and the newest deliveries; with --parked those that were given up',
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
