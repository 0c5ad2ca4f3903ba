// Words that several folders' parameters and fields share.
import { OVERLAP_DEFAULT_HOURS } from '../contract/integration.ts'
import { PAGE_SIZE_DEFAULT, REFERENCE_LENGTH_MAX } from '../contract/limits.ts'

export const ID_TEXT = { type: 'string', minLength: 1, maxLength: REFERENCE_LENGTH_MAX }

/** Of `PageSize`. */
export const LIMIT_WORDS = [
  `The number of entries on a page; ${PAGE_SIZE_DEFAULT} when absent.`,
  20,
  { type: 'integer', default: PAGE_SIZE_DEFAULT, multipleOf: null },
] as const

export const afterWords = (example: string) => ['The `nextAfter` of the page before.', example, ID_TEXT] as const

/** Of `overlapHours`. */
export const OVERLAP_WORDS = `The number of hours for which the other secrets keep working; ${OVERLAP_DEFAULT_HOURS} when absent, 0: they end now.`
