import type { Row } from '../bench/row.ts'

export type BenchResult = { rows: readonly Row[]; date: string; commit: string; machine: string }

export function writeResults(before: string, parts: readonly string[], results: { [part: string]: BenchResult }): string
export function writeTable(results: { [part: string]: BenchResult }): string
export function holds(row: Row): boolean
