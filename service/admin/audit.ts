import { listAudit } from '../audit/store.ts'
import { type Command, readOption, UsageError } from './command.ts'

const LIMIT_DEFAULT = 100
const LIMIT_MAX = 1_000_000

export const auditCommand: Command = {
  name: 'audit',
  usage: '[--tenant TENANT] [--limit N] [--json]',
  summary: 'shows who did what, newest first; with --json as JSON lines',
  role: 'reader',
  async run(input) {
    const given = readOption(input, 'limit') ?? String(LIMIT_DEFAULT)
    const limit = /^\d{1,7}$/.test(given) ? Number(given) : Number.NaN
    if (!(limit >= 1 && limit <= LIMIT_MAX)) throw new UsageError(`--limit must be from 1 to ${LIMIT_MAX}`)
    const events = await listAudit(input.database, { tenantId: readOption(input, 'tenant') ?? null, limit })
    for (const { atMs, ...event } of events) {
      const at = new Date(atMs).toISOString()
      const { actorKind, actorId, action, object, address, outcome, tenantId } = event
      if (input.options.json === true) input.print(JSON.stringify({ at, ...event }))
      else
        input.print(
          [at, tenantId ?? '-', `${actorKind} ${actorId ?? '-'}`, action, object ?? '-', address ?? '-', outcome].join(
            '  ',
          ),
        )
    }
    return 0
  },
}
