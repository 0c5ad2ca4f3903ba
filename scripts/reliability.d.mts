export type Proof = { name: string; about: { title: string; text: string; meanings?: { [count: string]: string } } }
export type ProofResult = {
  ok: boolean
  /** The fault. */
  why?: string
  scale: number
  date: string
  commit: string
  seconds: number
  counts: { [what: string]: number | number[] }
}

export function recordRuns(given: { proofs: readonly Proof[]; results: { [name: string]: ProofResult } }): void
export function writePage(proofs: readonly Proof[], results: { [name: string]: ProofResult }): string
