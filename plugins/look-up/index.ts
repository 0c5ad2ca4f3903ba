// Looking up one check: its timeline, and the search by anything that names it. For support and developers.
import { rulesOf } from '../../service/http/protect.ts'
import type { Plugin } from '../../service/plugin.ts'
import { findReportsCommand } from './find-command.ts'
import { lookUpOperations, lookUpRoutes } from './routes.ts'

export const lookUp: Plugin = {
  name: 'look-up',
  serve: async (core) => ({
    routes: lookUpRoutes(core),
    operations: lookUpOperations,
    authorisation: rulesOf(lookUpOperations),
  }),
  commands: [findReportsCommand],
}
