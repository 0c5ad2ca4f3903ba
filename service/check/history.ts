// The history of a check, for its timeline: times and outcomes, nothing about the person.
import type { Challenge } from './challenge.ts'

/** A check that ended early has few of these fields. */
export type History = {
  /** The agencies of the request. */
  asked?: readonly string[]
  /** True where the device was known; then the duration of the risk assessment. */
  deviceVerified?: boolean
  riskMs?: number
  /** The trigger that the rest of a check in test mode plays, by its value. */
  plays?: string
  /** When each wrong code came. */
  wrongCodesAtMs?: readonly number[]
  verifiedAtMs?: number
  /** The times at which the code was right and the agencies gave no report. */
  unansweredAtMs?: readonly number[]
  /** The duration of each agency's answer, by its id. */
  agencyMs?: { readonly [agency: string]: number }
}

/** The same code can be sent again and again while the agencies do not answer. */
const UNANSWERED_MAX = 10

/** Adds what a move of the challenge says. */
export function addMove(
  history: History,
  { was, next, nowMs }: { was: Challenge; next: Challenge; nowMs: number },
): History {
  const isWrong = next.attempts > was.attempts
  return {
    ...history,
    ...(isWrong && { wrongCodesAtMs: [...(history.wrongCodesAtMs ?? []), nowMs] }),
    ...(was.verifiedSend === null && next.verifiedSend !== null && { verifiedAtMs: nowMs }),
  }
}

export function addUnanswered(history: History, nowMs: number): History {
  return { ...history, unansweredAtMs: [...(history.unansweredAtMs ?? []), nowMs].slice(-UNANSWERED_MAX) }
}
