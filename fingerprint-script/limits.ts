// Every wait and every count of the script.

/** Requests per round of asking. A round that only meets a hanging service takes a little over a minute. */
export const TRIES_MAX = 7
export const FIRST_TIMEOUT_MS = 4_000
export const LATER_TIMEOUT_MS = 8_000
/** Doubled after every try, and jittered by half either way. */
export const FIRST_DELAY_MS = 300
/**
 * Tries that follow one another at once when a request never left the browser. When the next one fails too, it is
 * blocked.
 */
export const QUICK_TRIES = 2
/**
 * The service forgets a session after 60 minutes. Renewed at half of that, so that none is submitted shortly before it
 * expires.
 */
export const FRESH_MS = 1_800_000
/** Until then a session that could not be renewed still serves; it is tried again now and then. */
export const GOOD_MS = 3_300_000
export const RENEW_AGAIN_MS = 600_000

/**
 * A page may replace `window.service` itself, which nothing announces: looked for ever more rarely, for about three
 * minutes.
 */
export const FIRST_LOOK_MS = 100
export const LOOK_BACKOFF = 1.5
export const LAST_LOOK_MS = 60_000
