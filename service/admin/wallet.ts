import { randomUUID } from 'node:crypto'
import { showCredits } from '../../contract/money.ts'
import { isClean, reconcile } from '../wallet/reconcile.ts'
import { listLines, readBalance, readTopUp, topUp } from '../wallet/store.ts'
import { type Command, readCredits, readOption, requireWord, UsageError } from './command.ts'
import { requireTenantId } from './tenants.ts'

export const topUpCommand: Command = {
  name: 'top-up',
  usage: 'TENANT CREDITS [--reference PAYMENT]',
  summary: 'adds credits; the same reference counts once',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const credits = readCredits(requireWord(input, 1, 'the number of credits'), 'the amount', 1)
    const reference = readOption(input, 'reference')?.trim() ?? randomUUID()
    // From a script whose variable is not set: every payment after the first would count as a repeat.
    if (reference === '') throw new UsageError('--reference must not be empty')
    const { act, database, nowMs, print } = input
    const isBooked = await act.transaction((queries) => topUp(queries, { tenantId, credits, reference, nowMs }))
    const before = isBooked ? credits : await readTopUp(database, { tenantId, reference })
    const isOther = before !== credits
    if (isBooked) print(`added ${credits} credits (${showCredits(credits)})`)
    else print(`"${reference}" was booked before${isOther ? `, for ${before} credits` : ''}: nothing added`)
    const balance = await readBalance(database, tenantId)
    print(`balance ${balance} credits (${showCredits(balance)})`)
    return isOther ? 1 : 0
  },
}

const LINES_SHOWN = 50

export const ledgerCommand: Command = {
  name: 'ledger',
  usage: 'TENANT [--limit LINES] [--report ID]',
  summary: 'shows the newest lines of a wallet',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const limit = Number(readOption(input, 'limit') ?? LINES_SHOWN)
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number of lines')
    const creditReportId = readOption(input, 'report') ?? null
    const lines = (await listLines(input.database, { tenantId, before: null, creditReportId, limit })) ?? []
    for (const { createdAtMs, kind, purpose, credits, creditReportId: about, externalReference, agencies } of lines) {
      const when = new Date(createdAtMs).toISOString()
      const what = `${kind.padEnd(8)} ${purpose.padEnd(7)} ${String(credits).padStart(10)}`
      const share = agencies && `${agencies.delivered} of ${agencies.asked} agencies`
      input.print([when, what, about, share, externalReference].filter((part) => part !== null).join('  '))
    }
    input.print(`balance ${await readBalance(input.database, tenantId)} credits`)
    return 0
  },
}

const BREACHES_SHOWN = 10

export const reconcileCommand: Command = {
  name: 'reconcile',
  usage: '',
  summary: 'checks the books; exit code 0 when they are right, 1 when not',
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
