// What a page finds when it is opened: a report to close, a request in progress, a check of this browser, or what was typed before.
import { today } from '../fields/date.ts'
import { ownFault } from '../flow/fault.ts'
import type { Result } from './api.ts'
import type { createBeginning } from './begin-check.ts'
import type { Drafts } from './drafts.ts'
import type { Line, LineOptions } from './line.ts'
import type { createReportLock } from './report-lock.ts'
import { countSteps } from './steps.ts'
import type { Answer } from './wire.ts'

type ArrivalOptions = Pick<LineOptions, 'start' | 'keepsDrafts' | 'sendsSteps'> & {
  isTouched: () => boolean
  drafts: Drafts
  beginning: ReturnType<typeof createBeginning>
  lock: ReturnType<typeof createReportLock>
  /** Asks how things stand. */
  ask: () => Promise<Result<Answer>>
}

export function createArrival(line: Line, options: ArrivalOptions): () => Promise<void> {
  const { flow, send } = line
  const { isTouched, drafts, beginning, lock, ask } = options
  let isBeginning = false
  let isCounting = false

  async function arrive(): Promise<void> {
    // Shown before anything is filled in, where the browser itself says so.
    if (navigator.cookieEnabled === false) return line.fail('generate', ownFault('cookies-off'))
    if (!(await lock.closeLeft())) return
    line.start = options.start
    const sending = beginning.readSending()
    if (sending) send({ type: 'resuming' })
    const result = await ask()
    // Without what the start says there is no form; nor is there one while an answer is awaited.
    if (result.fault) return line.take(flow.value.start === 'awaited' || sending ? 'generate' : 'sync', result)
    const { meta } = result.value
    const draft = options.keepsDrafts ? meta.draft : undefined
    const resumes = !!draft && draft.id === sending?.draftId
    const stays = isTouched()
    const restore = () => draft && send({ type: 'draft', draft, today: today(), stays, resumes })
    if (resumes) restore()
    const { hasAgreed } = flow.value
    if (hasAgreed && sending) beginning.resume(sending)
    else if (sending) beginning.drop()
    // Someone who has begun to type is not sent elsewhere; whether this is a test they still need to know.
    if (!hasAgreed && (sending || !stays)) line.take('sync', result)
    else if (flow.value.screen.name !== 'code') line.take('sync', { value: { meta, data: { status: 'none' } } })
    if (!resumes) restore()
    if (draft !== undefined) drafts.begin(draft)
    if (meta.takesSteps && options.sendsSteps && !isCounting) {
      isCounting = true
      countSteps(line, flow.value.kept !== null || flow.value.isResumed)
    }
  }

  /** The element and a screen that waits for the start may both ask for it. */
  return async function begin() {
    if (isBeginning) return
    isBeginning = true
    await arrive()
    isBeginning = false
  }
}
