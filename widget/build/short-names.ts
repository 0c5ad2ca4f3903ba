// Shortens names nobody outside can know: custom properties that begin with `--_`, the report's classes, and the properties listed below.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { minifySync, type Plugin } from 'vite'

/**
 * Properties of our own objects, the most used first. `short-names.test.ts` sees to it that none of them is also a name of the browser's,
 * of preact's, of the wire's or of the element's own API, and that none is ever looked up by a text.
 */
export const OWN_NAMES = `
  flow fields why money onBack preparedAtMs headingLevel datesMs historyMonths printing facts isSettled wallMs fromAnswers monotonicMs
  startMs itemHeightEm room recheck below retryAfterMs isTouched deadline addStyles mayFocus website unreported recentSearches heightEm
  undated carryOut reportTranslation accountTypes accountStatuses isMortgage isVehicleFinance mortgages sums isPrivate others
  asksConsent triesMax timeoutMs during onTimeUp onClockMoved resendFrom lifetimeMinutes retryAtMs isWaiting reportCss tellFault
  createCheck prepared agencies reportReference synthetic syntheticMeaning hideAmounts notReported inCredit owed mortgageApart
  mortgagesApart nothingOwed allTypes noAccounts unnamed started looksWrong looksWrongAdvice copied timelineNote running
  searchesBetween searchesUnknown noSearches searchCount noAddresses wrongSteps fraud emptyMeaning emptySteps residency totals
  barPercent concern ticks lanes lane onFound FindAddress newer older phrase agreed
`
  .trim()
  .split(/\s+/)

// Capitals only: our code and preact's have properties of one small letter already.
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const cache = Object.fromEntries(OWN_NAMES.map((name, index) => [name, shortName(index)]))
const include = new RegExp(`^(?:${OWN_NAMES.join('|')})$`)

/** Where every private custom property is declared. */
const customProperties = namesIn('widget/style/widget.css', /--_[\w-]+(?=:)/g)
const classes = namesIn('widget/report/report.css', /(?<=\.)report-[a-z]+/g)
const ownClass = new RegExp(`(?<![\\w-])(?:${classes.join('|')})(?![\\w-])`, 'g')

export function shortNames(): Plugin {
  return {
    name: 'short-names',
    generateBundle: {
      // Before anything is told how large the files are.
      order: 'pre',
      handler(_options, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === 'chunk') output.code = shorten(output.fileName, output.code)
      },
    },
  }
}

/** The same names become the same short ones in every file, because script and chunks hand each other objects. */
export function shorten(file: string, code: string): string {
  const { code: short, errors } = minifySync(file, code, {
    compress: false,
    mangle: false,
    mangleProps: { include, cache },
    codegen: { removeWhitespace: true },
  })
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  return short
    .replace(/--_[\w-]+/g, (name) => `--${shortName(customProperties.indexOf(name))}`)
    .replace(ownClass, (name) => shortName(classes.indexOf(name)))
}

function namesIn(file: string, pattern: RegExp): string[] {
  return [...new Set(readFileSync(resolve(file), 'utf8').match(pattern))]
}

function shortName(index: number): string {
  const before = index < LETTERS.length ? '' : shortName(Math.floor(index / LETTERS.length) - 1)
  return before + LETTERS.charAt(index % LETTERS.length)
}
