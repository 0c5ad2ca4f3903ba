// Small tools of every measurement.
import type { Row, Target } from './row.ts'

type Against = { value: number; unit: string; against: string; floor: number; target?: Target | null }

/** A row whose ratio is worked out. Without a target it is only reported. */
export function compare(name: string, { value, unit, against, floor, target = null }: Against): Row {
  return { name, value, unit, against, floor, ratio: value / floor, target }
}

/** A row whose target is counted in the unit itself, not as a ratio. */
export function absolute(name: string, value: number, unit: string, { goal, guard, ...is }: Target): Row {
  return compare(name, { value, unit, against: 'goal', floor: goal, target: { goal: 1, guard: guard / goal, ...is } })
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/**
 * Of turns taken side by side the one whose ratio is in the middle, so that the ratio is that of the two figures beside
 * it.
 */
export function middleTurn(values: readonly number[], floors: readonly number[]) {
  const turns = values.map((value, turn) => {
    const floor = floors[turn] ?? Number.NaN
    return { value, floor, ratio: value / floor }
  })
  const sorted = turns.toSorted((a, b) => a.ratio - b.ratio)
  return sorted[Math.floor(sorted.length / 2)] ?? { value: Number.NaN, floor: Number.NaN, ratio: Number.NaN }
}

/** The order of turns must not decide the result. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
