// The door of the published package (`credit-report-service`). Code in this repository imports the files themselves.

export type { Clock } from '../kit/clock.ts'
export type { ClaimDevice } from './check/check-options.ts'
export { type Config, ConfigError, type Environment, readConfig } from './config.ts'
export { type App, createHandler, type HandlerOptions } from './handler.ts'
export { ApiError } from './http/api-error.ts'
export type { Authenticate, Caller } from './http/caller.ts'
export { createLog, createSilentLog, type Log } from './log.ts'
export type * from './plugin.ts'
export * from './providers/providers.ts'
export {
  createSimulatedBureau,
  createSimulatedPhone,
  createSimulatedRisk,
  type SimulatedPhone,
} from './providers/simulated/simulated.ts'
export { stopOnSignal } from './run-process.ts'
export { coreTables } from './schema.ts'
export { type PluginParts, type RunningService, type StartOptions, startService } from './start.ts'
export type { Database, Queries } from './store/database.ts'
export { openEmbedded } from './store/open-database.ts'
