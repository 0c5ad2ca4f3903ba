// Looking up one check: its timeline, and the search by anything that names it. For support and developers.
import type { Plugin } from '../../service/plugin.ts'
import { findReportsCommand } from './find-command.ts'
import { lookUpRows } from './operations.ts'
import { lookUpRoutes } from './routes.ts'

export const lookUp: Plugin = {
  name: 'look-up',
  serve: async (core) => ({ routes: lookUpRoutes(core), rows: [lookUpRows] }),
  commands: [findReportsCommand],
}
