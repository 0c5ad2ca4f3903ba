// Holds the flow of one session, and hands what follows the first screen to the `check` chunk.
import { UK_MOBILE } from './fields/person.ts'
import { advanceDetails } from './flow/details-steps.ts'
import { awaitCheck, type FlowEvent, startFlow } from './flow/flow.ts'
import type { Check, Session, SessionOptions } from './session.ts'
import { begunSlot, readSlot } from './slots.ts'
import { createWatched } from './watched.ts'

export function createSession(options: SessionOptions): Session {
  const { endpoint, historyMonths, isMobileRequired, mobileCountries, prefill, isLocked, start, onFault } = options
  const gone = new AbortController()
  const takesUk = mobileCountries.every((country) => country === 'GB')
  const callingCodes = takesUk ? UK_MOBILE.callingCodes : 'any'
  const mobile = { isRequired: isMobileRequired, callingCodes }
  const first = startFlow(historyMonths, mobile, start === null ? 'none' : 'awaited')
  const flow = createWatched(readSlot(begunSlot(endpoint)) ? awaitCheck(first) : first)
  const check = createWatched<Check | null>(null)
  /** Its addresses are read when the chunk is loaded. */
  let lastPrefill: FlowEvent | null = null
  let isTouched = false
  let hasBegun = false

  const send: Session['send'] = (event) => {
    if (gone.signal.aborted) return
    if (event.type === 'prefill') lastPrefill = event
    const step = check.value ? check.value.advance(flow.value, event) : advanceDetails(flow.value, event)
    if (!step) return
    flow.value = step.flow
    const { ask, proof } = step
    if (ask) load().then((loaded) => loaded?.carryOut(ask, proof))
  }
  // Most lenders know nothing, and going through the tables of fields for it takes time before the first screen.
  if (Object.keys(prefill).length > 0) send({ type: 'prefill', prefill, by: isLocked ? 'locked' : undefined })
  if (!takesUk && !mobileCountries.includes('ANY')) void narrowCountries()

  /** Until it is known what their numbers begin with, any is taken: the lender's server has the last word. */
  async function narrowCountries(): Promise<void> {
    const loaded = await import('./fields/calling-codes.ts').catch(() => null)
    const codes = loaded?.callingCodesOf(mobileCountries) ?? []
    if (codes.length > 0) send({ type: 'mobile-countries', callingCodes: codes })
  }

  /** Resolves to null when it could not be loaded. */
  async function load(): Promise<Check | null> {
    try {
      const [{ createCheck }] = await Promise.all([import('./check/index.tsx'), options.loadWords()])
      if (!check.value) {
        check.value = createCheck({ ...options, flow, send, isTouched: () => isTouched, signal: gone.signal })
        if (lastPrefill) send(lastPrefill)
      }
    } catch {
      onFault({ code: 'script-blocked', status: 0 })
    }
    return check.value
  }

  return {
    flow,
    check,
    send,
    isLocked,
    touch() {
      isTouched = true
    },
    isTouched: () => isTouched,
    async begin() {
      const loaded = await load()
      if (loaded && (!hasBegun || flow.value.start === 'awaited')) {
        hasBegun = true
        loaded.begin()
      }
      return loaded !== null
    },
    tellFault: onFault,
    sync: () => check.value?.carryOut('sync'),
    end: () => gone.abort(),
  }
}
