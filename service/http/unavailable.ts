import type { LogFields } from '../log.ts'

/** Something outside that this request needs cannot serve now. The caller gets 503; the log gets `fields`. */
export abstract class Unavailable extends Error {
  abstract readonly fields: LogFields
}
