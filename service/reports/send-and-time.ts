// The text of a challenge leaves, and how long that took belongs to the kept answer too.
import type { IdempotencyKey } from '../idempotency/key.ts'
import { keepTimeTaken } from '../idempotency/store.ts'
import { type QueuedText, sendText } from '../texts/outbox.ts'
import type { ReportOptions } from './report-options.ts'

type Asked = {
  key: IdempotencyKey | null
  /** Whole milliseconds since the request arrived. */
  elapsedMs: () => number
}

/** Resolves to what the whole request has taken; to `timeTakenMs` when the text could not leave. */
export async function sendAndTime(
  parts: ReportOptions,
  text: QueuedText,
  { key, elapsedMs }: Asked,
  timeTakenMs: number,
): Promise<number> {
  const { providers, settings } = parts
  let takenMs = timeTakenMs
  const options = { ...parts, sms: providers.sms, challengeLifetimeMs: settings.challengeLifetimeMs }
  await sendText(options, text, async (queries) => {
    takenMs = elapsedMs()
    if (key !== null) await keepTimeTaken(queries, key.scope, takenMs)
  })
  return takenMs
}
