// Test support: the handler with a choice of the plugins, for measuring what each costs.
import { createAllPlugins } from '../plugins/all.ts'
import { readPluginSettings } from '../plugins/settings.ts'
import { pluginTables } from '../plugins/tables.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { createCoreApp } from './core-app.ts'

const CREDITS = 900_000_000_000
const UNLIMITED = { RATE_LIMIT_PER_MINUTE: '100000000', SEARCHES_PER_PERSON_PER_DAY: '1000000' }

/** Resolves to one live generate, which completes, and to what ends it. `isChosen` decides by a plugin's name. */
export async function createChosenApp(isChosen: (plugin: string) => boolean) {
  const names: string[] = []
  const app = await createCoreApp({
    environment: UNLIMITED,
    tables: pluginTables,
    createPlugins(parts) {
      const { plugins } = createAllPlugins({ ...parts, settings: readPluginSettings({}) })
      names.push(...plugins.map(({ name }) => name))
      return plugins.filter(({ name }) => isChosen(name))
    },
    claimDevice: async () => ({ profiled: true, seenSecondsAgo: 60, signals: {} }),
  })
  await topUp(app.database, { tenantId: 'acme', credits: CREDITS, reference: 'bench', nowMs: app.time.nowMs })
  const token = await app.tokenOf('acme')
  const body = JSON.stringify(await app.liveRequest('Allow'))
  return {
    names,
    async generate(): Promise<void> {
      const { status } = await app.call('/acme/v1/credit-reports', { token, body })
      if (status !== 200) throw new Error(`generate answered ${status}`)
    },
    close: app.close,
  }
}
