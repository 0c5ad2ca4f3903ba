// Counts the screens of the form for the lender's funnel: names of screens and seconds, no person, no id. Each screen
// once.
import type { FormStep } from '../../contract/stats.ts'
import type { Flow } from '../flow/flow.ts'
import type { Line } from './line.ts'

const STEPS: readonly FormStep[] = ['details', 'address', 'answers', 'sending']
const STEP_NAMES: readonly string[] = STEPS
const STEP_SECONDS_MAX = 3_600

/** `isBack`: the page was reloaded on the screen it shows, which was counted then, as were those before it. */
export function countSteps({ flow, api, signal }: Line, isBack: boolean): void {
  let counted = isBack ? stepAt(flow.value) + 1 : 0
  let sinceMs = Date.now()
  const follow = (now: Flow) => {
    const at = stepAt(now)
    const step = STEPS[at]
    if (!step || at < counted) return
    const seconds = at && Math.round((Date.now() - sinceMs) / 1000)
    counted = at + 1
    sinceMs = Date.now()
    // A clock that was set, or a page that was left open, says nothing about the form.
    api.step({ step, seconds: seconds >= 0 && seconds <= STEP_SECONDS_MAX ? seconds : 0 })
  }
  signal.addEventListener('abort', flow.subscribe(follow))
}

function stepAt({ screen }: Flow): number {
  return STEP_NAMES.indexOf(screen.name)
}
