// English made strange, made from whatever English is loaded: accents on every letter, and the commonest of them twice,
// two fifths longer. What stays plain in it was not translated, what is cut off has no room.
import type { Translation } from '../../widget/strings/words.ts'

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ACCENTED = 'ÅßÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽåƀçđéƒĝĥîĵķļṁñöþɋŕšţûṽŵẋýž'
const doubled = /[aeiouyns]/
const gapOrLetter = /\{\w+\}|[A-Za-z]/g

/** Once all of English is loaded. */
export function accentedFrom({ report }: Translation): Translation {
  const help = async () => accent((await import('../../widget/report/help/strings.ts')).helpStrings)
  return { say: (_key, english) => accent(english), report: accent(report), help }
}

/** Every text in the value, however deep; names and gaps stay as they are. */
function accent<Value>(value: Value): Value
function accent(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(gapOrLetter, accentLetter)
  if (Array.isArray(value)) return value.map((each) => accent(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, accent(each)]))
}

function accentLetter(letter: string): string {
  const strange = ACCENTED.charAt(PLAIN.indexOf(letter))
  return letter.length > 1 ? letter : strange + (doubled.test(letter) ? strange : '')
}
