import { requiredString } from './bounded-string.ts'

/** What people call an API client: `Webshop`, `Branch 12`. */
export const CLIENT_NAME_LENGTH_MAX = 60
export const ClientName = requiredString(CLIENT_NAME_LENGTH_MAX)

/** How long the other secrets of a client go on working beside a new one, in seconds. */
export const OVERLAP_DEFAULT_SECONDS = 86_400
export const OVERLAP_MAX_SECONDS = 7 * 86_400
