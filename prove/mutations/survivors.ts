// Changes that no test can notice, each with the reason: the program does the same with them, or what differs is nothing that
// is promised. `npm run prove -- mutations` breaks on a survivor that is not here, and on a line here that fits nothing.
import { kit } from './survivors/kit.ts'
import { serviceReports } from './survivors/service-reports.ts'
import { serviceTexts } from './survivors/service-texts.ts'
import { serviceWallet } from './survivors/service-wallet.ts'
import type { Survivors } from './survivors/survivor.ts'
import { tenantProxy } from './survivors/tenant-proxy.ts'
import { widgetFlow } from './survivors/widget-flow.ts'

export const SURVIVORS: Survivors = {
  ...kit,
  ...serviceReports,
  ...serviceTexts,
  ...serviceWallet,
  ...tenantProxy,
  ...widgetFlow,
}
