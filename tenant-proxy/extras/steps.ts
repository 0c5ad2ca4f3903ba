// Optional, off by an attribute of the element. Screens of the form that consumers see, counted for the lender's
// funnel: names and seconds, no person, no id, no cookie. They gather here and go to the service every few seconds.
// When it is away they are dropped: a check never waits for them.
import { FORM_STEPS, type FormStep, STEP_COUNT_MAX, type StepCounts, StepSeen } from '../../contract/stats.ts'
import { guard, readJson } from '../check/browser-request.ts'
import type { Extra } from '../check/extra.ts'
import { createLimit, type Parts } from '../check/parts.ts'
import type { Answer, BrowserRequest } from '../check/request.ts'

const SEND_EVERY_MS = 10_000

export function createStepCount(parts: Parts): Extra {
  const steps = createSteps(parts.service.countSteps)
  // Apart from the limit of writes: screens must not use up what the check needs.
  const limit = createLimit('writesMax', parts.settings)

  /** `POST {mount}/steps`. */
  async function answer(browserRequest: BrowserRequest): Promise<Answer> {
    guard(browserRequest, 'steps', parts, limit)
    for (const extra of parts.extras) await extra.admit?.(browserRequest, 'steps')
    const { incoming, place } = browserRequest
    const seen = await readJson(incoming, StepSeen)
    // Below `/test/…` the lender's developers look.
    if (!place.isPreview) steps.count(seen, place)
    return { body: null }
  }

  return {
    routes: [{ path: '/steps', methods: ['POST'], answer }],
    meta: ({ place }) => (place.isPreview ? {} : { takesSteps: true }),
    drain: steps.flush,
  }
}

export type Steps = {
  count(step: StepSeen, mode: { test: boolean }): void
  /** Sends what has gathered. Never rejects. */
  flush(): Promise<void>
}

export function createSteps(send: (counts: StepCounts) => Promise<unknown>): Steps {
  type Gathered = Map<FormStep, { count: number; seconds: number }>
  let gathered = new Map<boolean, Gathered>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const sending = [...gathered].map(([test, steps]) => ({
      test,
      steps: FORM_STEPS.flatMap((step) => {
        const seen = steps.get(step)
        return seen ? [{ step, ...seen }] : []
      }),
    }))
    gathered = new Map()
    await Promise.allSettled(sending.map(send))
  }

  return {
    flush,
    count({ step, seconds }, { test }) {
      const steps: Gathered = gathered.get(test) ?? new Map()
      const known = steps.get(step) ?? { count: 0, seconds: 0 }
      if (known.count >= STEP_COUNT_MAX) return
      gathered.set(test, steps.set(step, { count: known.count + 1, seconds: known.seconds + seconds }))
      // It does not keep the process alive.
      timer ??= setTimeout(() => void flush(), SEND_EVERY_MS).unref()
    },
  }
}
