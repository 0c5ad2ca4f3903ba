import { printRows, readLimit, readOption } from '../../kit/command-line.ts'
import { type Command, requireTenantId } from '../../service/command.ts'
import { listLines, readBalance } from '../../service/ledger/ledger.ts'
import { isClean, reconcile } from './reconcile.ts'

const LINES_SHOWN = 50

export const ledgerCommand: Command = {
  name: 'ledger',
  usage: 'TENANT [--limit LINES] [--report ID] [--json]',
  summary: 'Show the newest lines of a wallet',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const limit = readLimit(input, LINES_SHOWN)
    const creditReportId = readOption(input, 'report') ?? null
    const lines = (await listLines(input.database, { tenantId, before: null, creditReportId, limit })) ?? []
    const columns = [
      'createdAt',
      'kind',
      'purpose',
      'credits',
      'creditReportId',
      'externalReference',
      'agencies',
      'reason',
    ] as const
    printRows(
      input,
      columns,
      lines.map(({ agencies, createdAtMs, ...line }) => ({
        ...line,
        createdAt: new Date(createdAtMs).toISOString(),
        agencies: agencies && `${agencies.delivered} of ${agencies.asked}`,
      })),
    )
    const balance = await readBalance(input.database, tenantId)
    if (input.options.json !== true) input.print(`balance ${balance} credits`)
    return 0
  },
}

const BREACHES_SHOWN = 10

export const reconcileCommand: Command = {
  name: 'reconcile',
  usage: '',
  summary: 'Check the books; exit code 0 when they balance, 1 when they do not',
  role: 'reader',
  async run(input) {
    const { database, print } = input
    const reconciliation = await reconcile(database)
    const { wallets, lines, reports, texts, heldCredits } = reconciliation.counts
    print(`${wallets} wallets, ${lines} lines, ${reports} reports, ${texts} texts, ${heldCredits} credits held`)
    for (const { name, breaches } of reconciliation.findings) {
      print(breaches.length === 0 ? `ok      ${name}` : `BROKEN  ${name}: ${breaches.length}`)
      for (const id of breaches.slice(0, BREACHES_SHOWN)) print(`          ${id}`)
    }
    return isClean(reconciliation) ? 0 : 1
  },
}
