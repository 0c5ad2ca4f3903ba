// Every command of an operator, with those of the portal, and the moments that commands cause.
import { hostedActs } from '../hosted/acts.ts'
import { forgetApplicant } from '../hosted/one-check.ts'
import { hostedSealed } from '../hosted/tables.ts'
import { createKeyCommands } from '../plugins/admin/keys.ts'
import { allCommands, commandPlugins, commandsOf, sealedTables } from '../plugins/commands.ts'
import { joinPlugins, type Plugin } from '../service/plugin.ts'
import { portalCommands } from './admin.ts'
import { portalActs } from './identity/acts.ts'
import { portalSealedTables } from './identity/second-factor.ts'

const everyPlugin: readonly Plugin[] = [
  ...commandPlugins,
  { name: 'hosted', on: { erase: forgetApplicant }, acts: hostedActs },
  { name: 'portal', acts: portalActs, commands: portalCommands },
]

export const everyAct = everyPlugin.flatMap(({ acts = [] }) => acts)

export const everyCommand = [
  ...allCommands,
  ...everyPlugin.flatMap(commandsOf),
  ...createKeyCommands([...sealedTables, ...hostedSealed, ...portalSealedTables]),
]

export const everyMoment = joinPlugins(everyPlugin)
