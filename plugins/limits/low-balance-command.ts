import { type Command, readCredits, requireTenantId, requireWord } from '../../service/command.ts'
import { setLowBalance } from './spend-alerts.ts'

export const lowBalanceCommand: Command = {
  name: 'tenant low-balance',
  usage: 'TENANT CREDITS|off',
  summary: 'tells a lender’s webhooks when its balance falls below so many credits',
  role: 'operator',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const given = requireWord(input, 1, 'the number of credits')
    const credits = given === 'off' ? null : readCredits(given, 'the threshold', 1)
    await setLowBalance(input.act, { tenantId, credits, nowMs: input.nowMs })
    input.print(
      credits === null ? `${tenantId} has no low-balance alert` : `${tenantId} gets an alert below ${credits} credits`,
    )
    return 0
  },
}
