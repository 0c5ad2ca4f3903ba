// Providers over HTTP. `createProviders` makes the values for the core; the plugin receives the gateway's delivery receipts.

import { pick } from '../../openapi/operation.ts'
import { operatorOperations } from '../../openapi/operator-operations.ts'
import { rulesOf } from '../../service/http/protect.ts'
import type { Plugin } from '../../service/plugin.ts'
import { receiptRoutes } from './receipt-routes.ts'
import type { ProviderSettings } from './settings.ts'

const operations = pick(operatorOperations, 'receiveSmsReceipt', 'receiveTwilioReceipt')

export function liveProviders({ sms: gateway }: Pick<ProviderSettings, 'sms'>): Plugin {
  return {
    name: 'live-providers',
    serve: async ({ database, clock, log, config, heard }) => ({
      routes: receiptRoutes({
        database,
        clock,
        log,
        gateway,
        publicUrl: config.publicUrl,
        onSettled: (tenantId, fate) => heard({ tenantId, test: false }, { type: 'text', fate }),
      }),
      operations,
      authorisation: rulesOf(operations),
    }),
  }
}
