import { expect } from 'vitest'

/** An answer as a repeated request gets it: the time is that of the repetition. */
export function repeated<B extends { meta: object }>(body: B): B {
  return { ...body, meta: { ...body.meta, request: { timeTakenMs: expect.any(Number) } } }
}
