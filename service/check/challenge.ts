// One OTP check, from the first text to its end. Pure: no clock, no storage, no codes.
//
//                 wrong, attempts left; or too old      send 2, send 3
//                        ┌────────────────┐            ┌────────────┐
//                        ▼                │            ▼            │
//   first text ──▶ ┌───────────────── open ────────────────────────────┐
//                  │     right code ▼        (a bureau is away: stays) │
//                  │                verified                           │
//                  └──┬───────────────────┬────────────────────┬───────┘
//         the bureaus │   third wrong, or │    over a lifetime │
//            answered │ unverified device │  since last text   │
//                     ▼                   ▼                    ▼
//                 complete             failed               expired
//          same code, in its      says so for ever     410 for ever
//          window: again
//
// Attempts belong to the challenge: a resend buys no guesses. A code lives as long as a challenge does, counted from
// its own text, so that a late message still works. Once verified, the same code goes on for as long as the challenge
// is open; a wrong one still costs an attempt, or it could be guessed at leisure.
import { ATTEMPTS_MAX, SENDS_MAX } from '../../contract/limits.ts'
import type { Ending } from '../../contract/report-list.ts'
import { CLOCK_SKEW_MAX_MS } from '../../kit/clock.ts'

export type Challenge = {
  status: 'open' | 'complete' | 'failed' | 'expired'
  /** Wrong codes so far. */
  attempts: number
  /** When each text left, first to last. */
  sentAtMs: readonly number[]
  /** The number of the text whose code verified it; null before. */
  verifiedSend: number | null
  /** False when the fingerprint session proved nothing: such a challenge cannot be passed. */
  deviceVerified: boolean
}

/** The challenge after an event, and the verdict for its caller. `next` is the same object when nothing changes. */
type Judgement<Verdict> = { next: Challenge; verdict: Verdict }

export type CodeVerdict =
  /** The right code: the bureaus may be asked. */
  | { status: 'verified' }
  /** The right code again, after the end. */
  | { status: 'complete' }
  /**
   * `too-old`: the true code of an older text, past its own time. No attempt is counted: there is nothing to guess from
   * it.
   */
  | { status: 'retry'; reason: 'wrong' | 'too-old'; attemptsRemaining: number }
  | { status: 'failed'; reason: 'attempts' | 'device' }
  | { status: 'expired' }

export type ResendVerdict = { status: 'sent'; send: number } | { status: 'no-texts-left' } | { status: 'over' }

export type Moment = { nowMs: number; lifetimeMs: number }

export function openChallenge({ nowMs, deviceVerified }: { nowMs: number; deviceVerified: boolean }): Challenge {
  return { status: 'open', attempts: 0, sentAtMs: [nowMs], verifiedSend: null, deviceVerified }
}

/** `carriers`: numbers of the texts that contained this code; empty means the code is wrong. */
export function judgeCode(challenge: Challenge, carriers: readonly number[], moment: Moment): Judgement<CodeVerdict> {
  const { status, attempts, verifiedSend } = challenge
  if (status === 'failed') return { next: challenge, verdict: failed(challenge) }
  const fresh = carriers.filter((send) => isFresh(challenge, send, moment))
  if (status === 'complete') {
    // A lost answer must be recoverable, and there is no other way to ask for it.
    const again = verifiedSend !== null && fresh.includes(verifiedSend)
    return { next: challenge, verdict: { status: again ? 'complete' : 'expired' } }
  }
  if (status === 'expired') return { next: challenge, verdict: { status: 'expired' } }
  if (isExpired(challenge, moment)) return expire(challenge)

  if (!challenge.deviceVerified) {
    const next: Challenge = { ...challenge, status: 'failed' }
    return { next, verdict: failed(next) }
  }
  if (verifiedSend !== null && carriers.includes(verifiedSend)) {
    return { next: challenge, verdict: { status: 'verified' } }
  }
  const carrier = fresh.at(-1)
  if (carrier !== undefined) {
    return { next: { ...challenge, verifiedSend: carrier }, verdict: { status: 'verified' } }
  }
  if (carriers.some((send) => send <= challenge.sentAtMs.length)) {
    const verdict: CodeVerdict = { status: 'retry', reason: 'too-old', attemptsRemaining: ATTEMPTS_MAX - attempts }
    return { next: challenge, verdict }
  }
  const attemptsRemaining = ATTEMPTS_MAX - attempts - 1
  if (attemptsRemaining > 0) {
    const verdict: CodeVerdict = { status: 'retry', reason: 'wrong', attemptsRemaining }
    return { next: { ...challenge, attempts: attempts + 1 }, verdict }
  }
  const next: Challenge = { ...challenge, status: 'failed', attempts: attempts + 1 }
  return { next, verdict: failed(next) }
}

/** Asks for one more text. */
export function judgeResend(challenge: Challenge, moment: Moment): Judgement<ResendVerdict> {
  if (!isOpen(challenge)) return { next: challenge, verdict: { status: 'over' } }
  if (isExpired(challenge, moment)) return { next: expire(challenge).next, verdict: { status: 'over' } }
  const send = challenge.sentAtMs.length + 1
  if (send > SENDS_MAX) return { next: challenge, verdict: { status: 'no-texts-left' } }
  const next = { ...challenge, sentAtMs: [...challenge.sentAtMs, moment.nowMs] }
  return { next, verdict: { status: 'sent', send } }
}

/** Whole seconds until an open challenge expires; null once it is settled. */
export function expiresInSeconds(challenge: Challenge, { nowMs, lifetimeMs }: Moment): number | null {
  if (!isOpen(challenge)) return null
  const leftMs = expiresAtMs(challenge, lifetimeMs) - nowMs
  return Math.floor(Math.min(Math.max(0, leftMs), lifetimeMs) / 1000)
}

/** It still waits for a code, or for the bureaus. */
export function isOpen({ status }: Challenge): boolean {
  return status === 'open'
}

/** When a challenge that is not completed or failed expires, or did. */
export function expiresAtMs(challenge: Challenge, lifetimeMs: number): number {
  return lastSentAtMs(challenge) + lifetimeMs
}

/** When it ended, if that is noticed at this moment; null while it is open. */
export function endedAtMs(challenge: Challenge, { nowMs, lifetimeMs }: Moment): number | null {
  if (isOpen(challenge)) return null
  return challenge.status === 'expired' ? Math.min(nowMs, expiresAtMs(challenge, lifetimeMs)) : nowMs
}

/** Its ending; null while it is open. */
export function endingOf({ status, deviceVerified, verifiedSend }: Challenge): Ending | null {
  switch (status) {
    case 'open':
      return null
    case 'complete':
      return 'complete'
    case 'failed':
      return deviceVerified ? 'attempts' : 'device'
    case 'expired':
      return verifiedSend === null ? 'timeout' : 'agencies'
  }
}

/** Strictly more than a lifetime since the last text. */
export function isExpired(challenge: Challenge, moment: Moment): boolean {
  return !isInLifetime(lastSentAtMs(challenge), moment)
}

/** A text from the future means that the clock was set back, which must not make anything live longer. */
function isInLifetime(sentAtMs: number, { nowMs, lifetimeMs }: Moment): boolean {
  const ageMs = nowMs - sentAtMs
  return ageMs <= lifetimeMs && ageMs >= -CLOCK_SKEW_MAX_MS
}

function lastSentAtMs({ sentAtMs }: Challenge): number {
  return sentAtMs.at(-1) ?? Number.NEGATIVE_INFINITY
}

function isFresh({ sentAtMs }: Challenge, send: number, moment: Moment): boolean {
  const sent = sentAtMs[send - 1]
  return sent !== undefined && isInLifetime(sent, moment)
}

/** At any time: test mode plays it too. */
export function expire(challenge: Challenge): Judgement<CodeVerdict> {
  return { next: { ...challenge, status: 'expired' }, verdict: { status: 'expired' } }
}

function failed({ deviceVerified }: Challenge): CodeVerdict {
  return { status: 'failed', reason: deviceVerified ? 'attempts' : 'device' }
}
