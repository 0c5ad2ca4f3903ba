// The commands of a lender and its consumers, as data.
import * as fc from 'fast-check'

export type Command =
  | { do: 'generate'; mode: 'live' | 'test'; branch: 'allow' | 'challenge' | 'block'; key: number | null }
  | { do: 'submit'; pick: number; guess: 'newest' | 'first' | 'wrong' }
  | { do: 'resend'; pick: number; key: number | null }
  | { do: 'top-up'; credits: number }

/** One tenant's story: what it begins with, and what is done, a step a round. */
export type Story = { credits: number; commands: readonly Command[] }

/** Between two rounds: how much time passes for everyone, and whether the sweeper comes by. */
export type Pause = { advanceMs: number; sweep: boolean }

// Few keys and few reports, so that stories meet themselves again.
const key = fc.option(fc.nat(2), { freq: 2 })
const pick = fc.nat(3)

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('generate' as const),
      mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
      branch: fc.constantFrom('challenge' as const, 'challenge' as const, 'allow' as const, 'block' as const),
      key,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      pick,
      guess: fc.constantFrom('newest' as const, 'first' as const, 'wrong' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('resend' as const), pick, key }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('top-up' as const), credits: fc.integer({ min: 1, max: 1_500 }) }),
  },
)

export function stories({ count, commands }: { count: number; commands: number }): fc.Arbitrary<Story[]> {
  const story = fc.record({
    credits: fc.integer({ min: 0, max: 3_000 }),
    commands: fc.array(command, { minLength: commands, maxLength: commands }),
  })
  return fc.array(story, { minLength: count, maxLength: count })
}

export function pauses(rounds: number): fc.Arbitrary<Pause[]> {
  const pause = fc.record({
    // Within a lifetime, to its last millisecond, and past it.
    advanceMs: fc.constantFrom(0, 1, 1_000, 100_000, 150_000, 300_000, 300_001),
    sweep: fc.boolean(),
  })
  return fc.array(pause, { minLength: rounds, maxLength: rounds })
}
