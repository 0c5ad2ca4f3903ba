// A translation as it travels: the phrases alone, in the order of the English ones. Their names are on the page already.
import type { ReportStrings } from '../report/strings.ts'
import type { Phrase } from './en.ts'

/** What each chunk says. */
export type Translation = {
  form: readonly Phrase[]
  check: readonly Phrase[]
  findAddress: readonly Phrase[]
  report: ReportTranslation
}

export type ReportTranslation = readonly ReportStrings[keyof ReportStrings][]

/** What `translated` says for each phrase of `english`, in the same order. */
export function inOrderOf<English extends object, Said>(
  english: English,
  translated: { [key in keyof English]: Said },
): Said[] {
  return (Object.keys(english) as (keyof English)[]).map((key) => translated[key])
}
