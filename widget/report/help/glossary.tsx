import type { HelpStrings } from './strings.ts'

type Meanings = HelpStrings['meanings']

/** When a word occurs, in the types and statuses of the accounts; null is in every report that has an account. */
const OCCURS: { [word in keyof Meanings]: RegExp | null } = {
  agency: null,
  balance: null,
  openingBalance: null,
  reference: null,
  settled: /settled|satisfied/,
  arrears: /arrears|late/,
  arrangement: /arrangement/,
  debtManagement: /debt management/,
  default: /default/,
  query: /query/,
  unclassified: /unclassified/,
  hirePurchase: /hire purchase|\bhp\b/,
  pcp: /\bpcp\b|contract purchase/,
}

/** The words that need explaining, of those this report uses: `said` are the types and statuses of its accounts. */
export function Glossary({ said, strings }: { said: ReadonlySet<string>; strings: HelpStrings }) {
  const occurs = (pattern: RegExp | null) => !pattern || [...said].some((words) => pattern.test(words))
  const words = (Object.keys(OCCURS) as (keyof Meanings)[]).filter((word) => occurs(OCCURS[word]))
  return (
    <dl class="report-words">
      {words.map((word) => (
        <div>
          <dt>{strings.meanings[word][0]}</dt>
          <dd>{strings.meanings[word][1]}</dd>
        </div>
      ))}
    </dl>
  )
}
