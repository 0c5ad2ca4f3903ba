import type { ReportStrings } from '../report/strings.ts'
import type { Phrase, StringKey, Strings } from './en.ts'

/** A language: what it says for each English phrase. It is given the English because that is what is loaded already. */
export type Translation = {
  say(key: StringKey, english: Phrase): Phrase
  report(english: ReportStrings): ReportStrings
}

/** A language that was written down: the words of every screen, and those of the report. */
export function written(strings: Strings, reportStrings: ReportStrings): Translation {
  return { say: (key) => strings[key], report: () => reportStrings }
}
