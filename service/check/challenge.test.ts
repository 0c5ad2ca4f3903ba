import { describe, expect, test } from 'vitest'
import {
  type Challenge,
  type CodeVerdict,
  endedAtMs,
  expiresInSeconds,
  judgeCode,
  judgeResend,
  openChallenge,
  type ResendVerdict,
} from './challenge.ts'

const lifetimeMs = 300_000
const opened = openChallenge({ nowMs: 0, deviceVerified: true })
const lastGuess: Challenge = { ...opened, attempts: 2 }
const resent: Challenge = { ...opened, sentAtMs: [0, 200_000] }
const resentLast: Challenge = { ...resent, attempts: 2 }
const unverified = openChallenge({ nowMs: 0, deviceVerified: false })
const rejected: Challenge = { ...unverified, status: 'failed' }
const failed: Challenge = { ...opened, status: 'failed', attempts: 3 }
const verified: Challenge = { ...resent, verifiedSend: 1 }
const complete: Challenge = { ...verified, status: 'complete' }
const expired: Challenge = { ...opened, status: 'expired' }

const first = [1]
const second = [2]
const both = [1, 2]
const wrong: number[] = []

type CodeRow = [string, Challenge, number[], nowMs: number, CodeVerdict, changes: Partial<Challenge>]

const verifiedBy = (send: number): Partial<Challenge> => ({ verifiedSend: send })
const attemptsUsed: CodeVerdict = { status: 'failed', reason: 'attempts' }
const badDevice: CodeVerdict = { status: 'failed', reason: 'device' }
const retry = (attemptsRemaining: number): CodeVerdict => ({ status: 'retry', reason: 'wrong', attemptsRemaining })
const tooOld = (attemptsRemaining: number): CodeVerdict => ({ status: 'retry', reason: 'too-old', attemptsRemaining })
const isRight: CodeVerdict = { status: 'verified' }
const isOver: CodeVerdict = { status: 'expired' }

// The edges: the orders of events are below.
// biome-ignore format: a table is read by its columns
const codeRows: CodeRow[] = [
  ['the right code on the last millisecond verifies',        opened,     first,  300_000, isRight,      verifiedBy(1)],
  ['one millisecond later it has expired',                   opened,     first,  300_001, isOver,       { status: 'expired' }],
  ['the third wrong code fails for good',                    lastGuess,  wrong,        1, attemptsUsed, { status: 'failed', attempts: 3 }],
  ['a code past its own window is no attempt, nor the last', resentLast, first,  300_001, tooOld(1),    {}],
  ['a code of a text that was never sent is wrong',          opened,     second,       1, retry(2),     { attempts: 1 }],
  ['a code that two texts carried counts as the newer',      resent,     both,   300_000, isRight,      verifiedBy(2)],
  ['a clock set back a little changes nothing',              resent,     second, 195_000, isRight,      verifiedBy(2)],
  ['a clock set back further ends it',                       resent,     second, 194_999, isOver,       { status: 'expired' }],
  ['once verified, a code outlives its own window',          verified,   first,  500_000, isRight,      {}],
  ['expired stays expired, even if the clock goes back',     expired,    first,        1, isOver,       {}],
  ['an unverified device fails with the right code',         unverified, first,        1, badDevice,    { status: 'failed' }],
  ['and with a wrong one',                                   unverified, wrong,        1, badDevice,    { status: 'failed' }],
  ['and says the same for ever',                             rejected,   first,        1, badDevice,    {}],
]

test.each(codeRows)('%s', (_name, from, carriers, nowMs, verdict, next) => {
  const judged = judgeCode(from, carriers, { nowMs, lifetimeMs })
  expect(judged.verdict).toEqual(verdict)
  expect(judged.next).toEqual({ ...from, ...next })
})

test.each<[string, nowMs: number, ResendVerdict, changes: Partial<Challenge>]>([
  ['on the last millisecond is in time', 300_000, { status: 'sent', send: 2 }, { sentAtMs: [0, 300_000] }],
  ['one millisecond later is not', 300_001, { status: 'over' }, { status: 'expired' }],
])('a resend %s', (_name, nowMs, verdict, next) => {
  expect(judgeResend(opened, { nowMs, lifetimeMs })).toEqual({ verdict, next: { ...opened, ...next } })
})

test.each([
  ['counts down in whole seconds', opened, 500, 299],
  ['a resend starts it again', resent, 200_000, 300],
  ['never goes below zero', opened, 400_000, 0],
  ['goes on once verified', verified, 200_000, 300],
  ['is over once settled', complete, 1, null],
])('the time left %s', (_name, challenge, nowMs, seconds) => {
  expect(expiresInSeconds(challenge, { nowMs, lifetimeMs })).toBe(seconds)
})

test.each([
  ['one that waits for a code has not ended', opened, null],
  ['nor one that waits for the bureaus', verified, null],
  ['one that completes ends now', complete, 900_000],
  ['one that fails too', failed, 900_000],
  ['one that expired did so when its time was up, whenever that is noticed', expired, 300_000],
])('%s', (_name, challenge, endMs) => {
  expect(endedAtMs(challenge, { nowMs: 900_000, lifetimeMs })).toBe(endMs)
})

describe('every order of events', () => {
  const EVENTS = ['wrong', 'first code', 'newest code', 'newest code, no bureau', 'resend', 'wait', 'wait out'] as const
  const LENGTH = 6
  type Event = (typeof EVENTS)[number]
  type Played = { event: Event; atMs: number; outcome: string }

  /** The expected next answer, from the answers before it: no states, only the story so far. */
  function expected(story: readonly Played[], event: Event, nowMs: number): string {
    const said = (outcome: string) => story.filter((played) => played.outcome === outcome)
    const texts = [0, ...said('sent').map((played) => played.atMs)]
    const isFresh = (sentAtMs: number | undefined) => sentAtMs !== undefined && nowMs - sentAtMs <= lifetimeMs
    const codeAtMs = event === 'first code' ? texts[0] : event === 'wrong' ? undefined : texts.at(-1)
    const completion = said('complete')[0]
    const isOver = story.some((played) => played.outcome === 'expired') || !isFresh(texts.at(-1))

    if (event === 'resend') {
      if (said('failed').length > 0 || completion || isOver) return 'over'
      return texts.length === 3 ? 'no-texts-left' : 'sent'
    }
    if (said('failed').length > 0) return 'failed'
    if (completion) {
      const completedWith = completion.event === 'first code' ? texts[0] : textsAt(story, completion).at(-1)
      return codeAtMs !== undefined && codeAtMs === completedWith && isFresh(codeAtMs) ? 'complete' : 'expired'
    }
    if (isOver) return 'expired'
    const proof = said('verified').at(-1)
    const isProven = proof !== undefined && codeAtMs === textsAt(story, proof).at(-1)
    if (isFresh(codeAtMs) || isProven) return event === 'newest code, no bureau' ? 'verified' : 'complete'
    if (codeAtMs !== undefined) return 'too-old'
    return said('retry').length === 2 ? 'failed' : 'retry'
  }

  function textsAt(story: readonly Played[], until: Played): number[] {
    const before = story.slice(0, story.indexOf(until))
    return [0, ...before.filter((played) => played.outcome === 'sent').map((played) => played.atMs)]
  }

  function play(story: Played[], challenge: Challenge, nowMs: number): number {
    if (story.length === LENGTH) return 1
    let stories = 0
    for (const event of EVENTS) {
      if (event === 'wait' || event === 'wait out') {
        const played = { event, atMs: nowMs, outcome: 'waited' }
        stories += play([...story, played], challenge, nowMs + (event === 'wait' ? 200_000 : 300_001))
        continue
      }
      // Each event takes a moment, so that no two texts share one.
      const atMs = nowMs + 1
      const moment = { nowMs: atMs, lifetimeMs }
      const newest = challenge.sentAtMs.length
      const carriers = event === 'first code' ? [1] : event === 'wrong' ? [] : [newest]
      const judged = event === 'resend' ? judgeResend(challenge, moment) : judgeCode(challenge, carriers, moment)
      const isAnswered = judged.verdict.status === 'verified' && event !== 'newest code, no bureau'
      const next: Challenge = isAnswered ? { ...judged.next, status: 'complete' } : judged.next
      const isTooOld = judged.verdict.status === 'retry' && judged.verdict.reason === 'too-old'
      const said = isAnswered ? 'complete' : isTooOld ? 'too-old' : judged.verdict.status
      const outcome = expected(story, event, atMs)
      if (said !== outcome) {
        expect.fail(`after ${story.map((played) => played.event).join(', ')}: ${event} gave ${said}, not ${outcome}`)
      }
      if (next.attempts > 3 || next.sentAtMs.length > 3) expect.fail('a limit was passed')
      stories += play([...story, { event, atMs, outcome }], next, atMs)
    }
    return stories
  }

  test('a challenge says what its story so far calls for', () => {
    expect(play([], opened, 0)).toBe(EVENTS.length ** LENGTH)
  })
})
