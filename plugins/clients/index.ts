// API clients: credentials that a lender's developers and operators make, replace and revoke.
import { rulesOf } from '../../service/http/protect.ts'
import type { Plugin } from '../../service/plugin.ts'
import { clientCommands } from './client-commands.ts'
import { clientOperations, clientRoutes } from './routes.ts'

export const clients: Plugin = {
  name: 'clients',
  serve: async ({ tokens, clock }) => ({
    routes: clientRoutes({ clients: tokens.clients, clock }),
    operations: clientOperations,
    authorisation: rulesOf(clientOperations),
  }),
  commands: clientCommands,
}
