import type { SearchEntry } from './search-entries.ts'

export function rank(entries: readonly SearchEntry[], typed: string): SearchEntry[]
