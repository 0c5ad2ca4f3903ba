export type BenchRow = {
  name: string
  value: number
  unit?: string
  against?: string
  floor: number
  ratio: number
  limit: number | null
  limitIs?: 'most' | 'least'
}
export type BenchResult = { rows: readonly BenchRow[]; date: string; commit: string; machine: string }

export function writeResults(before: string, parts: readonly string[], results: { [part: string]: BenchResult }): string
export function writeTable(results: { [part: string]: BenchResult }): string
export function holds(row: BenchRow): boolean
