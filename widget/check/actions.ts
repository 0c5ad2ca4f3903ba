// Does what a step asks for: calls the lender's server and feeds the answer back into the flow.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import type { FormStep } from '../../contract/stats.ts'
import { toConsumerDetails } from '../fields/answers.ts'
import { today } from '../fields/date.ts'
import { readClock } from '../flow/deadline.ts'
import { type Fault, ownFault } from '../flow/fault.ts'
import type { Ask, Flow, FlowEvent } from '../flow/flow.ts'
import { findRefusedAnswers } from '../flow/refused-answers.ts'
import { NOTICE_VERSION } from '../screens/notice.tsx'
import type { SessionOptions } from '../session.ts'
import type { Watched } from '../watched.ts'
import { createApi, type Result } from './api.ts'
import { createDrafts } from './drafts.ts'
import { createFingerprint } from './fingerprint.ts'
import { createKeyRing, readSlot, writeSlot } from './idempotency.ts'
import { isTrustedEndpoint, isTrustedSource } from './trusted-source.ts'
import type { Answer } from './wire.ts'

export type ActionsOptions = SessionOptions & {
  flow: Watched<Flow>
  send: (event: FlowEvent) => void
  isTouched: () => boolean
  /** Ends everything in progress. */
  signal: AbortSignal
}

/** Faults a developer of the page can fix. */
const MENDABLE = [
  'endpoint-not-same-origin',
  'fingerprint-blocked',
  'garbled-answer',
  'http-404',
  'misconfigured',
  'not-found',
]

const STEPS: readonly FormStep[] = ['details', 'address', 'answers', 'sending']

/** What a reload in mid-request needs to ask the same again, beside the draft: nothing about the person. */
type Sending = { draftId: string; start: string | null; consent: ConsumerDetails['consent'] }

export function createActions(options: ActionsOptions) {
  const { endpoint, pageNonce, scriptSrc, consent, onFault, flow, send, isTouched, signal } = options
  /** What this tab alone knows; without it the report has to be opened with the date of birth. */
  const tab = createKeyRing(`${endpoint}:tab`)
  /** Where the page was reloaded in mid-request: what that page had, since each page gets a new one. */
  let { start } = options
  const api = createApi(
    endpoint,
    signal,
    () => tab.keyFor('tab'),
    () => start,
  )
  const drafts = createDrafts({ flow, save: api.draft, signal })
  const sendingSlot = `${endpoint}:sending`
  /** Holds the id of a report that was closed, until the server knows. */
  const closingSlot = `${endpoint}:closing`
  const fingerprint = createFingerprint(signal, pageNonce)
  const { fingerprintSrc: named } = options
  const fingerprintSrc = named && isTrustedSource(named, pageNonce) ? named : null
  const generateKeys = createKeyRing(endpoint)
  const resendKeys = createKeyRing(`${endpoint}:text`)
  let generates = 0
  /** Whom the device session has been used for. */
  let checked = ''
  let isSyncing = false
  let isBeginning = false
  let isCounting = false
  let stepsSent = 0
  /** What the consumer has agreed to. */
  let agreed: ConsumerDetails['consent']

  function fail(during: Ask, fault: Fault): void {
    if (signal.aborted) return
    if (MENDABLE.includes(fault.code))
      // biome-ignore lint/suspicious/noConsole: the one line that shows a developer where to look
      console.warn(`credit-report-widget: ${fault.code}. For the cause and the fix, call diagnose() on the element.`)
    onFault(fault)
    send({ type: 'fault', fault, during, nowMs: Date.now() })
  }

  function take(during: Ask, result: Result<Answer>, fresh = false): void {
    if (result.fault) fail(during, result.fault)
    else send({ type: 'answered', answer: result.value, now: readClock(), fresh })
  }

  async function generate(): Promise<void> {
    const turn = ++generates
    // A page that has started over meanwhile is not sent an answer to what it asked before.
    const isCurrent = () => turn === generates && flow.value.screen.name === 'sending'
    // A device session belongs to one person; to the service a corrected name is another person.
    const { lastName, year, month, day } = flow.value.answers.person
    const who = [lastName, year, month, day].join()
    if (checked && checked !== who) fingerprint.renew()
    checked = who
    const sessionId = await fingerprint.sessionId()
    if (!isCurrent()) return
    if (!sessionId) {
      // If `GET /current` failed, the script's URL is not known yet; ask again so that the next attempt can insert it.
      askHowThingsStand()
      return fail('generate', ownFault('fingerprint-blocked'))
    }
    const shown = await hash(flow.value.shown)
    const draftId = await drafts.secure()
    if (!isCurrent()) return
    // After a reload nothing is shown that could be agreed to.
    if (flow.value.shown || !agreed) agreed = { ...consent(), notice: NOTICE_VERSION, ...(shown && { shown }) }
    const details = { ...toConsumerDetails(flow.value.answers, sessionId), consent: agreed }
    const sending: Sending = { draftId, start, consent: agreed }
    writeSlot(sendingSlot, draftId && JSON.stringify(sending))
    // One key until there is an answer, whatever was changed meanwhile: the lender's server tells different details apart.
    const key = generateKeys.keyFor('check')
    let result = await api.generate(details, key)
    if (result.fault?.code === 'cookies-required') {
      // The cookie may only have run out while the page stood open.
      await askHowThingsStand()
      result = await api.generate(details, key)
    }
    if (turn === generates) writeSlot(sendingSlot, null)
    if (turn === generates && (!result.fault || isKeyRefused(result.fault))) generateKeys.settle()
    if (isCurrent()) take('generate', result, true)
  }

  async function verify(code: string): Promise<void> {
    const challenge = openChallenge()
    if (!challenge) return
    const result = await api.verify(challenge, code)
    if (openChallenge()?.challengeId === challenge.challengeId) take('verify', result)
  }

  async function resend(): Promise<void> {
    const challenge = openChallenge()
    if (!challenge) return
    const key = resendKeys.keyFor(`${challenge.challengeId} ${challenge.textsRemaining}`)
    const result = await api.resend(challenge, key)
    if (!result.fault || result.fault.status) resendKeys.settle()
    if (openChallenge()?.challengeId !== challenge.challengeId) return
    if (result.fault) fail('resend', result.fault)
    else send({ type: 'resent', challenge: result.value.data.challenge, now: readClock() })
  }

  async function open(dateOfBirth: string): Promise<void> {
    const isAwaited = () => flow.value.screen.name === 'locked'
    const result = await api.open(dateOfBirth)
    if (isAwaited()) take('open', result)
  }

  function lock(): void {
    tab.settle()
    sync()
  }

  /** What was promised has to be true: until the server knows, the request is repeated whenever the line may be back. */
  async function close(creditReportId: string): Promise<boolean> {
    tab.settle()
    writeSlot(closingSlot, creditReportId)
    const isDone = await api.close()
    if (isDone) {
      writeSlot(closingSlot, null)
      send({ type: 'closed' })
    } else fail('close', ownFault(navigator.onLine ? 'network' : 'offline'))
    return isDone
  }

  function forget(): void {
    tab.settle()
    writeSlot(closingSlot, null)
    api.close({ forget: true })
  }

  async function sync(): Promise<void> {
    const { screen } = flow.value
    if (screen.name === 'closed' && screen.state === 'unreached') return void close(screen.creditReportId)
    const creditReportId = awaitedReport()
    if (isSyncing || creditReportId === null) return
    isSyncing = true
    const result = await api.current(creditReportId)
    isSyncing = false
    if (awaitedReport() === creditReportId) take('sync', result)
  }

  /** The element and a screen that waits for the start may both ask for it. */
  async function begin(): Promise<void> {
    if (isBeginning) return
    isBeginning = true
    await beginNow()
    isBeginning = false
  }

  async function beginNow(): Promise<void> {
    // Shown before anything is filled in, where the browser itself says so.
    if (navigator.cookieEnabled === false) return fail('generate', ownFault('cookies-off'))
    if (fingerprintSrc) fingerprint.ensure(fingerprintSrc)
    const closing = readSlot(closingSlot)
    if (closing) {
      send({ type: 'closing', creditReportId: closing })
      if (!(await close(closing))) return
    }
    start = options.start
    const sending = readSending()
    if (sending) send({ type: 'resuming' })
    const result = await askHowThingsStand()
    // Without what the start says there is no form; nor is there one while an answer is awaited.
    if (result.fault) return take(flow.value.start === 'awaited' || sending ? 'generate' : 'sync', result)
    const { meta } = result.value
    const draft = options.keepsDrafts ? meta.draft : undefined
    const resumes = !!draft && draft.id === sending?.draftId
    const stays = isTouched()
    const restore = () => draft && send({ type: 'draft', draft, today: today(), stays, resumes })
    if (resumes) restore()
    const { hasAgreed } = flow.value
    if (hasAgreed && sending) ({ start, consent: agreed } = sending)
    else if (sending) writeSlot(sendingSlot, null)
    // Someone who has begun to type is not sent elsewhere; whether this is a test they still need to know.
    if (!hasAgreed && (sending || !stays)) take('sync', result)
    else if (!openChallenge()) take('sync', { value: { meta, data: { status: 'none' } } })
    if (!resumes) restore()
    if (draft !== undefined) drafts.begin(draft)
    if (meta.takesSteps && options.sendsSteps) sendSteps()
  }

  /** What was being answered when the page was reloaded. */
  function readSending(): Sending | null {
    try {
      return JSON.parse(readSlot(sendingSlot) || 'null')
    } catch {
      return null
    }
  }

  /** Names of screens and seconds, for the lender's funnel: no person, no id. Each screen once. */
  function sendSteps(): void {
    if (isCounting) return
    isCounting = true
    const { screen, kept, isResumed } = flow.value
    // Those before a reload were counted then.
    if (kept !== null || isResumed) stepsSent = stepAt(screen.name) + 1
    let sinceMs = Date.now()
    const follow = ({ screen: { name } }: Flow) => {
      const at = stepAt(name)
      const step = STEPS[at]
      if (!step || at < stepsSent) return
      const seconds = at && Math.round((Date.now() - sinceMs) / 1000)
      stepsSent = at + 1
      sinceMs = Date.now()
      // A clock that was set, or a page that was left open, says nothing about the form.
      api.step({ step, seconds: seconds >= 0 && seconds <= 3600 ? seconds : 0 })
    }
    signal.addEventListener('abort', flow.subscribe(follow))
  }

  /** The answer also says where the fingerprint script is. */
  async function askHowThingsStand(): Promise<Result<Answer>> {
    const result = await api.current()
    const src = !result.fault && result.value.meta.fingerprintSrc
    const known = !result.fault && result.value.meta.known
    if (known) send({ type: 'prefill', prefill: known, by: 'start' })
    if (src && !fingerprintSrc && (pageNonce || isTrustedEndpoint(endpoint, scriptSrc))) fingerprint.ensure(src)
    return result
  }

  /** The report whose state would be news: of an open code, of a locked report, or of one whose contents went when the page was left. */
  function awaitedReport(): string | null {
    const { screen } = flow.value
    // An answer that is on its way will say it better.
    if (screen.name === 'code') return screen.busy ? null : screen.challenge.creditReportId
    if (screen.name === 'locked') return screen.isBusy ? null : screen.creditReportId
    return screen.name === 'report' && screen.isLeft ? screen.creditReportId : null
  }

  function openChallenge() {
    const { screen } = flow.value
    return screen.name === 'code' ? screen.challenge : null
  }

  return {
    keepTyped: drafts.keepTyped,
    carryOut(ask: Ask, proof = '') {
      const { screen } = flow.value
      const does: { [each in Ask]: () => unknown } = {
        begin,
        generate,
        resend,
        sync,
        lock,
        forget,
        verify: () => verify(proof),
        open: () => open(proof),
        close: () => screen.name === 'closed' && close(screen.creditReportId),
      }
      does[ask]()
    },
    begin,
  }
}

function stepAt(name: string): number {
  const names: readonly string[] = STEPS
  return names.indexOf(name)
}

/** SHA-256 in hex; empty on a page without https, whose scripts have no hash. */
async function hash(text: string): Promise<string> {
  if (!crypto.subtle) return ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A request that cannot be answered under its key any more is refused without a word about any field. */
function isKeyRefused(fault: Fault): boolean {
  return fault.status === 400 && !findRefusedAnswers(fault)
}
