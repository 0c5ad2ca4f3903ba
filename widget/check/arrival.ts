// The start of a page, which may find a report to close, a request in progress, a check of this browser, or what was
// typed before. Only the lender's server can say, so it is asked until it has answered once; before that no check is
// begun.
import { today } from '../fields/date.ts'
import { type Fault, mayPass, ownFault } from '../flow/fault.ts'
import type { Answer } from '../flow/wire.ts'
import { begunSlot, writeSlot } from '../slots.ts'
import type { Result } from './api.ts'
import type { Drafts } from './drafts.ts'
import type { Line, LineOptions } from './line.ts'
import { countSteps } from './steps.ts'

type ArrivalOptions = Pick<LineOptions, 'start' | 'keepsDrafts' | 'sendsSteps'> & {
  isTouched: () => boolean
  drafts: Drafts
  /** Closes what an earlier page could not. Resolves to false while the server does not know. */
  closeLeft: () => Promise<boolean>
  /** The id of the draft whose request was being answered when the page was reloaded; null for none. */
  readSending: () => { draftId: string } | null
  /** That request goes out again, or is given up. */
  settleSending: (isResumed: boolean) => void
  /** Each answer says where the fingerprint script is. */
  onAnswer: (answer: Answer) => void
}

export type Arrival = {
  /** Looks for what this page has to show. */
  begin(): Promise<void>
  /** The state of this browser's check. */
  ask(): Promise<Result<Answer>>
  hasAnswered(): boolean
  /**
   * Why no check may be begun: the server has not answered yet, or has one that this page has not shown. Null when one
   * may.
   */
  findObstacle(): Promise<Result<Answer> | null>
}

const isFramed = window.parent !== window
const ASK_AGAIN_MS = 2_000
const ASK_AGAIN_MAX_MS = 60_000
/** With the waits above, for about a quarter of an hour. */
const ASKED_AGAIN_MAX = 20

export function createArrival(line: Line, options: ArrivalOptions): Arrival {
  const { flow, send, signal } = line
  const { isTouched, drafts } = options
  let hasAnswered = false
  /** The server has a check that was not shown, because the consumer was filling in the form. */
  let isUnseen = false
  let isBeginning = false
  let asking: Promise<Result<Answer>> | null = null
  let askedAgain = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let toldFault = ''
  signal.addEventListener('abort', () => clearTimeout(timer))

  /** The page, "Agree" and the timer may all want to know: one request answers all of them. */
  function ask(): Promise<Result<Answer>> {
    asking ??= askNow().finally(() => {
      asking = null
    })
    return asking
  }

  async function askNow(): Promise<Result<Answer>> {
    const result = await line.api.current()
    if (signal.aborted) return result
    clearTimeout(timer)
    if (result.fault) {
      askLater(result.fault)
      return result
    }
    options.onAnswer(result.value)
    if (!hasAnswered) arrive(result.value)
    hasAnswered = true
    return result
  }

  function askLater(fault: Fault): void {
    if (hasAnswered || !mayPass(fault) || askedAgain >= ASKED_AGAIN_MAX) return
    const waitMs = Math.min(ASK_AGAIN_MS * 2 ** askedAgain++, ASK_AGAIN_MAX_MS)
    timer = setTimeout(begin, Math.max(waitMs, fault.retryAfterMs ?? 0))
  }

  function arrive({ meta, data }: Answer): void {
    const { isResumed, start, hasAgreed: isPressed } = flow.value
    const draft = options.keepsDrafts && !isPressed ? meta.draft : undefined
    const resumes = !!draft && draft.id === options.readSending()?.draftId
    const stays = isTouched() && !isResumed && start !== 'awaited'
    const restore = () => draft && send({ type: 'draft', draft, today: today(), stays, resumes })
    if (resumes) restore()
    const { hasAgreed } = flow.value
    options.settleSending(resumes && hasAgreed)
    // Someone who has begun to type is not sent elsewhere; whether this is a test they still need to know.
    const isShown = !hasAgreed && !stays
    isUnseen = !isShown && !resumes && isGoingOn(data)
    if (isShown || isGoingOn(data)) writeSlot(begunSlot(line.endpoint), data.status === 'none' ? null : 'yes')
    line.take('begin', { value: { meta, data: isShown ? data : { status: 'none' } } })
    if (!resumes) restore()
    if (options.keepsDrafts && meta.draft !== undefined) drafts.begin(meta.draft)
    if (meta.takesSteps && options.sendsSteps) countSteps(line, flow.value.kept !== null || resumes)
  }

  async function begin(): Promise<void> {
    // The element and a screen that waits for the start may both ask for it.
    if (isBeginning) return
    isBeginning = true
    await beginNow()
    isBeginning = false
  }

  async function beginNow(): Promise<void> {
    // Shown before anything is filled in, where the browser itself says so.
    if (navigator.cookieEnabled === false) return line.fail('generate', ownFault('cookies-off'))
    if (!(await options.closeLeft())) return
    if (!hasAnswered) line.start = options.start
    const result = await ask()
    if (isFramed && (await dropsCookies(result))) return line.fail('generate', ownFault('cookies-off'))
    const { fault } = result
    const { screen, start } = flow.value
    const isAwaited = screen.name === 'sending' || (screen.name === 'details' && start === 'awaited')
    // A fault that goes on is shown and reported once.
    if (!fault || (!isAwaited && toldFault === fault.code)) return
    toldFault = fault.code
    line.fail('begin', fault)
  }

  /** Inside a page of another site browsers keep no cookie of ours: better said before the form than after it. */
  async function dropsCookies(first: Result<Answer>): Promise<boolean> {
    const isDropped = (result: Result<Answer>) => !result.fault && result.value.meta.cookieKept === false
    return isDropped(first) && isDropped(await ask())
  }

  return {
    begin,
    ask,
    hasAnswered: () => hasAnswered,
    async findObstacle() {
      if (hasAnswered && !isUnseen) return null
      const result = await ask()
      if (!result.fault) isUnseen = false
      return result.fault || isGoingOn(result.value.data) ? result : null
    },
  }
}

/** A check that a new one would be paid for beside. */
function isGoingOn({ status }: Answer['data']): boolean {
  return status === 'authentication-required' || status === 'complete'
}
