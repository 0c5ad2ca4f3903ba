// Everything that follows "Agree", as a chunk of its own: it is fetched while the form is filled in.
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { ProxyReport } from '../../contract/tenant-proxy.ts'
import { toConsumerDetails } from '../answers.ts'
import { loadChunk } from '../chunks.ts'
import type { Ask, Flow, FlowEvent, Step } from '../flow.ts'
import { useFrame } from '../frame.ts'
import type { Session, SessionOptions } from '../session.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import { createApi, type Result } from './api.ts'
import css from './check.css?inline'
import { CodeScreen } from './code-screen.tsx'
import { readClock } from './deadline.ts'
import { type Fault, ownFault } from './fault.ts'
import { createFingerprint } from './fingerprint.ts'
import { createKeyRing } from './idempotency.ts'
import { MobileScreen } from './mobile-screen.tsx'
import { OutcomeScreen } from './outcome-screen.tsx'
import { ReportScreen } from './report-screen.tsx'
import { advanceCheck } from './steps.ts'
import { writeJson } from './write-json.ts'

addEnglish(enCheck)

export type CheckOptions = SessionOptions & {
  flow: ReadonlySignal<Flow>
  send: (event: FlowEvent) => void
  isTouched: () => boolean
  signal: AbortSignal
}

export type Check = {
  advance(flow: Flow, event: FlowEvent): Step
  /** Does what a step asks for and feeds the answer back. */
  carryOut(ask: Ask, code?: string): void
  /** Looks for a check this browser has under way. */
  begin(): void
  Screen: (props: { session: Session }) => JSX.Element | null
}

export function createCheck({
  endpoint,
  fingerprintSrc,
  consent,
  onFault,
  flow,
  send,
  isTouched,
  signal,
}: CheckOptions): Check {
  const api = createApi(endpoint, signal)
  const fingerprint = createFingerprint(signal)
  const generateKeys = createKeyRing(endpoint)
  const resendKeys = createKeyRing(`${endpoint}:text`)
  let isSyncing = false

  function fail(during: Ask, fault: Fault): void {
    if (signal.aborted) return
    onFault(fault)
    send({ type: 'fault', fault, during, nowMs: Date.now() })
  }

  function take(during: Ask, { fault, ...result }: Result<ProxyReport>, fresh = false): void {
    if ('value' in result) send({ type: 'answered', answer: result.value, now: readClock(), fresh })
    else if (fault) fail(during, fault)
  }

  async function generate(): Promise<void> {
    const sessionId = await fingerprint.sessionId()
    if (!sessionId) return fail('generate', ownFault('fingerprint-blocked'))
    const agreed = consent()
    const details = { ...toConsumerDetails(flow.value.answers, sessionId), ...(agreed && { consent: agreed }) }
    const body = writeJson(details)
    const { key, isFromEarlierPage } = generateKeys.keyFor(body)
    let result = await api.generate(details, key)
    if (result.fault?.status === 400) {
      // Refused, so nothing was done under this key. One kept from before a reload may simply belong to other details.
      generateKeys.settle()
      if (isFromEarlierPage) result = await api.generate(details, generateKeys.keyFor(body).key)
    }
    if (!result.fault) generateKeys.settle()
    take('generate', result, true)
  }

  async function resend(): Promise<void> {
    const { screen } = flow.value
    if (screen.name !== 'code') return
    const { challengeId, textsRemaining } = screen.challenge
    const { key } = resendKeys.keyFor(`${challengeId} ${textsRemaining}`)
    const result = await api.resend(screen.challenge, key)
    if (result.fault) {
      if (result.fault.status) resendKeys.settle()
      return fail('resend', result.fault)
    }
    resendKeys.settle()
    send({ type: 'resent', challenge: result.value.data.challenge, now: readClock() })
  }

  async function sync(): Promise<void> {
    // An answer that is on its way will say it better.
    const isWaiting = () => flow.value.screen.name === 'code' && !flow.value.screen.busy
    if (isSyncing || !isWaiting()) return
    isSyncing = true
    const result = await api.current()
    isSyncing = false
    if (isWaiting()) take('sync', result)
  }

  async function verify(code: string): Promise<void> {
    const { screen } = flow.value
    if (screen.name === 'code') take('verify', await api.verify(screen.challenge, code))
  }

  async function begin(): Promise<void> {
    if (fingerprintSrc) fingerprint.ensure(fingerprintSrc)
    const result = await api.current()
    if (result.fault) return take('sync', result)
    const { meta } = result.value
    if (meta.fingerprintSrc && !fingerprintSrc) fingerprint.ensure(meta.fingerprintSrc)
    // Someone who has begun to type is not sent elsewhere; whether this is a test they still need to know.
    if (!isTouched()) take('sync', result)
    else if (flow.value.screen.name !== 'code') take('sync', { value: { meta, data: { status: 'none' } } })
  }

  return {
    advance: advanceCheck,
    carryOut(ask, code = '') {
      if (ask === 'generate') generate()
      else if (ask === 'resend') resend()
      else if (ask === 'verify') verify(code)
      else sync()
    },
    begin,
    Screen: CheckScreen,
  }
}

function CheckScreen({ session }: { session: Session }): JSX.Element | null {
  useFrame().addStyles(css)
  const flow = session.flow.value
  const { screen } = flow
  switch (screen.name) {
    case 'code':
      // The report is fetched while the person waits for the text; a failure is met again, and told, when it matters.
      loadChunk('report').catch(() => undefined)
      return <CodeScreen session={session} screen={screen} test={flow.test} />
    case 'mobile':
      return <MobileScreen session={session} screen={screen} answers={flow.answers} />
    case 'report':
      return <ReportScreen session={session} screen={screen} test={flow.test} />
    case 'expired':
    case 'ended':
    case 'trouble':
      return <OutcomeScreen session={session} screen={screen} flow={flow} />
    default:
      return null
  }
}
