// Test support: a check on its screens, the events that reach it, and rows of where they lead.
import { expect, test } from 'vitest'
import type { ChallengeState } from '../contract/tenant-proxy.ts'
import { openChallenge } from '../widget/flow/challenge.ts'
import { advanceCheck } from '../widget/flow/check-steps.ts'
import type { Clock } from '../widget/flow/deadline.ts'
import type { Fault } from '../widget/flow/fault.ts'
import { type Ask, type Flow, type FlowEvent, type Screen, type ScreenNamed, startFlow } from '../widget/flow/flow.ts'
import type { Answer } from '../widget/flow/wire.ts'

export const now: Clock = { monotonicMs: 1_000, wallMs: 1_000_000 }
export const state: ChallengeState = {
  challengeId: 'c1',
  expiresInSeconds: 300,
  attemptsRemaining: 3,
  textsRemaining: 2,
  mobileNumberEnding: '123',
}
export const answers = {
  person: { mobileNumber: '07700900123' },
  addresses: [{ postcode: 'LS1 4AP' }],
  abroadBefore: false,
}
export const on = (screen: Screen, hasAgreed = true): Flow => ({ ...startFlow(36), screen, answers, hasAgreed })
export const sending: Screen = { name: 'sending' }
export const code: ScreenNamed<'code'> = {
  name: 'code',
  challenge: openChallenge('r1', state, now, true),
  busy: null,
  problems: [],
  notice: null,
}
export const verifying: Screen = { ...code, busy: 'verify' }
export const resending: Screen = { ...code, busy: 'resend' }

export const answer = (data: Answer['data'], fresh = true): FlowEvent => ({
  type: 'answered',
  answer: { meta: { test: true }, data },
  now,
  fresh,
})
export const fault = (what: Partial<Fault>, during: Ask = 'generate'): FlowEvent => ({
  type: 'fault',
  fault: { code: 'x', status: 0, ...what },
  during,
  nowMs: 1_000_000,
})

type Row = [string, Screen, FlowEvent, Partial<Screen>, Ask?]

export function runs(rows: Row[]): void {
  test.each(rows)('%s', (_name, screen, event, expected, ask) => {
    const step = advanceCheck(on(screen), event)
    expect(step.flow.screen).toMatchObject(expected)
    expect(step.ask).toBe(ask)
    // The typed values stay in every case.
    expect(step.flow.answers.addresses).toEqual(answers.addresses)
  })
}
