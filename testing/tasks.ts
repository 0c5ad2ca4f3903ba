import { act } from '@testing-library/preact'
import { vi } from 'vitest'

/** The end of what is done in steps. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** What a browser draws in the tasks after the first; `setTimeout` is a fake one. */
export function drawTheRest(container: Element): void {
  for (let drawn = ''; drawn !== container.innerHTML; ) {
    drawn = container.innerHTML
    act(() => void vi.advanceTimersByTime(1))
  }
}
