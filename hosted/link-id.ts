import { isId, newId } from '../kit/new-id.ts'

/** The version of the UUID: request ids that the service makes have version 7, those of programs are mostly 4. */
const VERSION = 8
const VERSION_AT = '00000000-0000-'.length

export function newLinkId(nowMs: number): string {
  return newId(nowMs, VERSION)
}

/** True for a request id that could be a link's. */
export function isLinkId(requestId: string | null): boolean {
  return requestId !== null && isId(requestId) && requestId[VERSION_AT] === `${VERSION}`
}
