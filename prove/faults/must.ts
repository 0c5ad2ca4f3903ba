/** Ends a run with a sentence that says what did not hold. */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Breach(sentence)
}

class Breach extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'Breach'
  }
}

/** One kind of fault; resolves to how often it was tried. */
export type FaultRun = {
  id: string
  what: string
  run(scale: number): Promise<number>
}

/** A quick run shares its machine with other tests: it does less, and is not held to times. */
export function isQuick(scale: number): boolean {
  return scale < 0.1
}

/** At least once, however small the scale. */
export function times(count: number, scale: number): number {
  return Math.max(1, Math.round(count * scale))
}

/** The parts of an answer about a report that these runs read. */
export type ReportAnswer = {
  status: string
  creditReportId: string
  challenge: { challengeId: string }
  attemptsRemaining?: number
  smsSentCount?: number
}
