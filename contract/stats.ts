// Figures about a lender's checks. Nothing about a person: names of steps and ends, counts and times.
import * as z from 'zod/mini'
import { CalendarDate } from './date-of-birth.ts'
import { ENDINGS } from './report-list.ts'

/** The screens before a check exists, in order. Only the browser knows of them; `sending`: the answers were sent. */
export const FORM_STEPS = ['details', 'address', 'answers', 'sending'] as const
export type FormStep = (typeof FORM_STEPS)[number]

/** Longer than anyone fills in one screen without leaving it. */
export const STEP_SECONDS_MAX = 3_600
/** Of one step in one message of a proxy, which sends one every few seconds. */
export const STEP_COUNT_MAX = 100_000

/** The body of `POST {mount}/steps`: a screen is shown, and for how long the one before it was. */
export const StepSeen = z.object({
  step: z.enum(FORM_STEPS),
  seconds: z.int().check(z.minimum(0), z.maximum(STEP_SECONDS_MAX)),
})
export type StepSeen = z.infer<typeof StepSeen>

export const StepCount = z.object({
  step: z.enum(FORM_STEPS),
  count: z.int().check(z.minimum(1), z.maximum(STEP_COUNT_MAX)),
  /** Of all of them together. */
  seconds: z.int().check(z.minimum(0), z.maximum(STEP_COUNT_MAX * STEP_SECONDS_MAX)),
})

/** The body of `POST /{tenantId}/v1/steps`: what a proxy has seen since its last message. */
export const StepCounts = z.object({
  test: z.boolean(),
  steps: z.array(StepCount).check(z.minLength(1), z.maxLength(FORM_STEPS.length)),
})
export type StepCounts = z.infer<typeof StepCounts>

/** Of a check, from the details to the report. No step is larger than the one before it. */
export const FUNNEL_STEPS = ['asked', 'code-sent', 'code-right', 'complete'] as const

/** Why a request was turned away before it was a check: it is in no list. */
export const TURNED_AWAY = ['funds', 'spend-cap'] as const
export type TurnedAway = (typeof TURNED_AWAY)[number]

/** The waits of a consumer: for the answer to their details, and within it or after the code, for the agencies. */
export const WAITS = ['generate', 'agencies'] as const
export type Wait = (typeof WAITS)[number]

export const STATS_DAYS_MAX = 366

/** The query of `GET /{tenantId}/v1/stats`. */
export const StatsQuery = z.object({
  /** The first and the last day in the United Kingdom, at most a year apart. */
  from: CalendarDate,
  to: CalendarDate,
  mode: z._default(z.enum(['live', 'test']), 'live'),
})

const reached = {
  count: z.int(),
  /** Mean time from the step before; absent where it is not known. */
  seconds: z.optional(z.number()),
}
export const FormStepCount = z.object({ step: z.enum(FORM_STEPS), ...reached })
/** Checks that got so far, those that needed no code among them. */
export const FunnelStep = z.object({ step: z.enum(FUNNEL_STEPS), ...reached })
export const EndCount = z.object({ end: z.enum(ENDINGS), count: z.int() })
export const TurnedAwayCount = z.object({ reason: z.enum(TURNED_AWAY), count: z.int() })
/** Why a text was refused or lost, as far as the gateway says. */
export const TEXT_REFUSALS = ['sender', 'number', 'unreachable', 'blocked', 'other'] as const
export type TextRefusal = (typeof TEXT_REFUSALS)[number]

/** Why a text did not arrive, for the lender's staff. */
export const REFUSAL_WORDS: { readonly [reason in TextRefusal]: string } = {
  sender: 'the network refused the sender’s name',
  number: 'the number takes no texts',
  unreachable: 'the phone could not be reached',
  blocked: 'the network’s filter stopped it',
  other: 'the gateway refused it',
}

export const RefusedTexts = z.object({ reason: z.enum(TEXT_REFUSALS), count: z.int() })
export const TextCounts = z.object({
  accepted: z.int(),
  delivered: z.int(),
  undelivered: z.int(),
  /** Of those that were not delivered, by reason; what did not happen is left out. */
  refused: z.array(RefusedTexts),
})
export const Waiting = z.object({
  what: z.enum(WAITS),
  count: z.int(),
  /** Half of them took at most so long; absent when there are none. */
  p50Ms: z.optional(z.int()),
  p95Ms: z.optional(z.int()),
})
export const DayEnds = z.object({
  day: z.string(),
  complete: z.int(),
  blocked: z.int(),
  failed: z.int(),
  expired: z.int(),
})
export type DayEnds = z.infer<typeof DayEnds>

export const DaySpending = z.object({
  day: z.string(),
  /** Credits charged, less refunds. */
  credits: z.int(),
})
export type DaySpending = z.infer<typeof DaySpending>

export const Stats = z.object({
  from: z.string(),
  to: z.string(),
  mode: z.enum(['live', 'test']),
  /** Screens that consumers saw; empty where the page does not report them. */
  form: z.array(FormStepCount),
  funnel: z.array(FunnelStep),
  /** Complete without a code: they count as through both steps of the code. */
  withoutCode: z.int(),
  ends: z.array(EndCount),
  turnedAway: z.array(TurnedAwayCount),
  texts: TextCounts,
  waiting: z.array(Waiting),
  /** By the day on which checks were asked for; days without an end are left out. */
  days: z.array(DayEnds),
  /** By the day on which it was charged; absent in test mode, which costs nothing. */
  spending: z.optional(z.array(DaySpending)),
})
export type Stats = z.infer<typeof Stats>
