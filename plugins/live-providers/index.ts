// Providers over HTTP. `createProviders` makes the values for the core; the plugin receives the gateway's delivery
// receipts.

import type { Plugin } from '../../service/plugin.ts'
import { receiptRows } from './operations.ts'
import { receiptRoutes } from './receipt-routes.ts'
import type { ProviderSettings } from './settings.ts'

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
        onSettled: (tenantId, fate, reason) =>
          heard({ tenantId, test: false }, { type: 'text', fate, ...(reason && { reason }) }),
      }),
      rows: [receiptRows],
    }),
  }
}
