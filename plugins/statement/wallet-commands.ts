import { randomUUID } from 'node:crypto'
import { showCredits } from '../../contract/money.ts'
import {
  printRows,
  readCredits,
  readLimit,
  readName,
  readOption,
  requireWord,
  UsageError,
} from '../../kit/command-line.ts'
import { type Command, type CommandInput, Refused, requireTenantId } from '../../service/command.ts'
import { ApiError } from '../../service/http/api-error.ts'
import { correct, listLines, readBalance, readTopUp, topUp } from '../../service/ledger/ledger.ts'
import { isClean, reconcile } from './reconcile.ts'

export const topUpCommand: Command = {
  name: 'top-up',
  usage: 'TENANT CREDITS [--reference PAYMENT]',
  summary: 'adds credits; the same reference counts once',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const credits = readCredits(requireWord(input, 1, 'the number of credits'), 'the amount', 1)
    const reference = readReference(input)
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

export const correctCommand: Command = {
  name: 'correct',
  usage: 'TENANT CREDITS --reason REASON [--reference REFERENCE]',
  summary:
    'puts a mistake in a wallet right with a line of its own: gives CREDITS, or takes them when it is below 0; the same reference counts once',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const tenantId = await requireTenantId(input)
    const given = requireWord(input, 1, 'the number of credits')
    const size = readCredits(given.replace(/^[-+]/, ''), 'the amount', 1)
    const credits = given.startsWith('-') ? -size : size
    const reason = readName(readOption(input, 'reason'), '--reason')
    const reference = readReference(input)
    const { act, database, nowMs, print } = input
    const correction = { tenantId, credits, reason, reference, nowMs }
    const isBooked = await act
      .transaction(
        (queries) => correct(queries, correction),
        () => ({ change: { from: null, to: { credits, reason } } }),
      )
      .catch((error: unknown) => {
        if (error instanceof ApiError)
          throw new Refused('the wallet has fewer credits than that; held ones cannot be taken')
        throw error
      })
    print(isBooked ? `booked ${credits} credits: ${reason}` : `"${reference}" was booked before: nothing changed`)
    print(`balance ${await readBalance(database, tenantId)} credits`)
    return 0
  },
}

function readReference(input: CommandInput): string {
  const reference = readOption(input, 'reference')?.trim() ?? randomUUID()
  // From a script whose variable is not set: every payment after the first would count as a repeat.
  if (reference === '') throw new UsageError('--reference must not be empty')
  return reference
}

const LINES_SHOWN = 50

export const ledgerCommand: Command = {
  name: 'ledger',
  usage: 'TENANT [--limit LINES] [--report ID] [--json]',
  summary: 'shows the newest lines of a wallet',
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
