// API clients: credentials that a lender's developers and operators make, replace and revoke.
import type { Plugin } from '../../service/plugin.ts'
import { clientActs } from './acts.ts'
import { listClientsCommand } from './client-commands.ts'
import { clientRows } from './operations.ts'
import { clientRoutes } from './routes.ts'

export const clients: Plugin = {
  name: 'clients',
  serve: async (core) => ({
    routes: clientRoutes(core),
    rows: [clientRows],
  }),
  acts: clientActs,
  commands: [listClientsCommand],
}
