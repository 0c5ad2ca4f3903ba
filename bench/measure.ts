// Small tools of every measurement.
import type { Row } from './row.ts'

type Against = { value: number; unit: string; against: string; floor: number; limit?: number | null }

/** A row whose ratio is worked out. Without a limit it is only reported. */
export function compare(name: string, { value, unit, against, floor, limit = null }: Against): Row {
  return { name, value, unit, against, floor, ratio: value / floor, limit }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Who goes first must not decide who wins. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
