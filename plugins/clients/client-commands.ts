import { printRows } from '../../kit/command-line.ts'
import { type Command, requireTenantId } from '../../service/command.ts'
import { manageClients } from './manage.ts'

export const listClientsCommand: Command = {
  name: 'client list',
  usage: 'TENANT [--json]',
  summary:
    'Show a lender’s API clients with their scopes, creators and working secrets, and the hour each was last used',
  role: 'reader',
  async run(input) {
    const { database, nowMs } = input
    const tenantId = await requireTenantId(input)
    const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
    const listed = await manageClients({ database, clock: () => nowMs }).list(tenantId)
    // A client without a secret that counts has a line too.
    const rows = listed.flatMap(({ id, name, scopes, isTestOnly, maker, disabledAtMs, secrets }) => {
      const mode = isTestOnly ? 'test-only' : 'live'
      const client = { client: id, name, scopes: scopes.join(' '), mode, madeBy: maker?.email ?? null }
      const none = { id: null, createdAtMs: null, expiresAtMs: null, lastUsedAtMs: null }
      return (secrets.length === 0 ? [none] : secrets).map((secret) => ({
        ...client,
        revoked: at(disabledAtMs),
        secret: secret.id,
        since: at(secret.createdAtMs),
        until: at(secret.expiresAtMs),
        used: at(secret.lastUsedAtMs),
      }))
    })
    const columns = [
      'client',
      'name',
      'scopes',
      'mode',
      'madeBy',
      'revoked',
      'secret',
      'since',
      'until',
      'used',
    ] as const
    printRows(input, columns, rows)
    return 0
  },
}
