import { printRows, readLimit, readOption } from '../../kit/command-line.ts'
import type { Command } from '../../service/command.ts'
import { listAudit } from './store.ts'

const LIMIT_DEFAULT = 100

export const auditCommand: Command = {
  name: 'audit',
  usage: '[--tenant TENANT] [--limit EVENTS] [--json]',
  summary: 'Show the audit trail, newest first; with --json also changes, names and links',
  role: 'reader',
  async run(input) {
    const limit = readLimit(input, LIMIT_DEFAULT)
    const events = await listAudit(input.database, { tenantId: readOption(input, 'tenant') ?? null, limit })
    const rows = events.map(({ atMs, ...event }) => ({ at: new Date(atMs).toISOString(), ...event }))
    if (input.options.json === true) for (const row of rows) input.print(JSON.stringify(row))
    else printRows(input, ['at', 'tenantId', 'actorKind', 'actorId', 'action', 'object', 'address', 'outcome'], rows)
    return 0
  },
}
