import { CHALLENGE_LIFETIME_MS } from '../../contract/limits.ts'
import type { ChallengeState } from '../../contract/tenant-proxy.ts'
import { type Clock, type Deadline, deadlineIn } from './deadline.ts'

/** The challenge as the code screen knows it. */
export type Challenge = {
  creditReportId: string
  challengeId: string
  deadline: Deadline
  /** From when a new text may be asked for. */
  resendFrom: Deadline
  attemptsRemaining: number
  textsRemaining: number
  /** The lifetime of the code, in whole minutes; 0 when we did not see it being sent. */
  lifetimeMinutes: number
  mobileNumberEnding?: string | undefined
}

const RESEND_COOL_DOWN_MS = 30_000

/** `fresh` when this answer is the one that sent the text, so that the cool-down starts now. */
export function openChallenge(creditReportId: string, state: ChallengeState, now: Clock, fresh: boolean): Challenge {
  const leftMs = state.expiresInSeconds * 1000
  const sentAgoMs = fresh ? 0 : Math.max(0, CHALLENGE_LIFETIME_MS - leftMs)
  return {
    creditReportId,
    challengeId: state.challengeId,
    deadline: deadlineIn(leftMs, now),
    resendFrom: deadlineIn(Math.max(0, RESEND_COOL_DOWN_MS - sentAgoMs), now),
    attemptsRemaining: state.attemptsRemaining,
    textsRemaining: state.textsRemaining,
    lifetimeMinutes: fresh ? Math.round(leftMs / 60_000) : 0,
    mobileNumberEnding: state.mobileNumberEnding,
  }
}
