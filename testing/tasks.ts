import { act } from '@testing-library/preact'
import { vi } from 'vitest'

/** A frame of a fake clock, and the timer it sets. */
const FRAME_MS = 20

/** The end of what is done in steps. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Runs the work of a browser after the first frame; its timers and frames are fake ones. */
export function drawTheRest(container: Element): void {
  for (let drawn = ''; drawn !== container.innerHTML; ) {
    drawn = container.innerHTML
    act(() => void vi.advanceTimersByTime(FRAME_MS))
  }
}
