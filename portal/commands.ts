// Every command of an operator, with those of the portal, and the moments that commands cause.
import { hostedCommands } from '../hosted/acts.ts'
import { forgetApplicant } from '../hosted/one-check.ts'
import { hostedSealed } from '../hosted/tables.ts'
import { createKeyCommands } from '../plugins/admin/keys.ts'
import { allCommands, commandPlugins, sealedTables } from '../plugins/commands.ts'
import { joinPlugins } from '../service/plugin.ts'
import { portalCommands } from './admin.ts'
import { portalSealedTables } from './identity/second-factor.ts'

export const everyCommand = [
  ...allCommands,
  ...hostedCommands,
  ...createKeyCommands([...sealedTables, ...hostedSealed, ...portalSealedTables]),
  ...portalCommands,
]

export const everyMoment = joinPlugins([...commandPlugins, { name: 'hosted', on: { erase: forgetApplicant } }])
