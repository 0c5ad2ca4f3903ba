// Does what a step asks for: calls the lender's server and feeds the answer back into the flow.
import { readClock } from '../flow/deadline.ts'
import type { Ask } from '../flow/flow.ts'
import type { Answer } from '../flow/wire.ts'
import { type Arrival, createArrival } from './arrival.ts'
import { createBeginning } from './begin-check.ts'
import { createDrafts } from './drafts.ts'
import { createFingerprint } from './fingerprint.ts'
import { createKeyRing } from './idempotency.ts'
import { createLine, type LineOptions } from './line.ts'
import { createReportLock } from './report-lock.ts'
import { isTrustedEndpoint, isTrustedSource } from './trusted-source.ts'

export type ActionsOptions = LineOptions & { isTouched: () => boolean }

export function createActions(options: ActionsOptions) {
  const { endpoint, pageNonce, scriptSrc, flow, send, signal } = options
  const line = createLine(options)
  const { api } = line
  const drafts = createDrafts({ flow, save: api.draft, signal })
  const fingerprint = createFingerprint(signal, pageNonce)
  const { fingerprintSrc: named } = options
  const fingerprintSrc = named && isTrustedSource(named, pageNonce, scriptSrc) ? named : null
  const lock = createReportLock(line)
  const arrival: Arrival = createArrival(line, {
    ...options,
    drafts,
    closeLeft: lock.closeLeft,
    readSending: () => beginning.readSending(),
    settleSending: (isResumed) => beginning.settleSending(isResumed),
    onAnswer: readMeta,
  })
  const beginning = createBeginning(line, { consent: options.consent, fingerprint, drafts, arrival })
  const resendKeys = createKeyRing(`${endpoint}:text`)
  let isSyncing = false

  async function verify(code: string): Promise<void> {
    const challenge = openChallenge()
    if (!challenge) return
    const result = await api.verify(challenge, code)
    if (openChallenge()?.challengeId === challenge.challengeId) line.take('verify', result)
  }

  async function resend(): Promise<void> {
    const challenge = openChallenge()
    if (!challenge) return
    const key = resendKeys.keyFor(`${challenge.challengeId} ${challenge.textsRemaining}`)
    const result = await api.resend(challenge, key)
    if (!result.fault || result.fault.status) resendKeys.settle()
    if (openChallenge()?.challengeId !== challenge.challengeId) return
    if (result.fault) line.fail('resend', result.fault)
    else send({ type: 'resent', challenge: result.value.data.challenge, now: readClock() })
  }

  async function sync(): Promise<void> {
    const { screen } = flow.value
    if (!arrival.hasAnswered() && screen.name !== 'closed') return arrival.begin()
    if (screen.name === 'closed' && screen.state === 'unreached') return void lock.close(screen.creditReportId)
    const creditReportId = awaitedReport()
    if (isSyncing || creditReportId === null) return
    isSyncing = true
    const result = await api.current(creditReportId)
    isSyncing = false
    if (awaitedReport() === creditReportId) line.take('sync', result)
  }

  /** To the server the time to open a report again runs from when it was last asked for. */
  async function see(): Promise<void> {
    const { screen } = flow.value
    if (screen.name !== 'report') return
    const result = await api.current(screen.creditReportId)
    if (flow.value.screen.name === 'report') line.take('sync', result)
  }

  /** An answer also brings what the lender knows, and says where the fingerprint script is. */
  function readMeta({ meta: { known, fingerprintSrc: src } }: Answer): void {
    if (known) send({ type: 'prefill', prefill: known, by: 'start' })
    if (src && !fingerprintSrc && (pageNonce || isTrustedEndpoint(endpoint, scriptSrc))) fingerprint.ensure(src)
  }

  /**
   * The report whose state would be news: of an open code, of a locked report, or of one whose contents went when the
   * page was left.
   */
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
        begin: arrival.begin,
        generate: beginning.generate,
        resend,
        sync,
        see,
        lock: () => {
          line.tab.settle()
          sync()
        },
        forget: lock.forget,
        verify: () => verify(proof),
        open: () => lock.open(proof),
        close: () => screen.name === 'closed' && lock.close(screen.creditReportId),
      }
      does[ask]()
    },
    begin() {
      if (fingerprintSrc) fingerprint.ensure(fingerprintSrc)
      return arrival.begin()
    },
  }
}
