// The one meaning of an account's status. The wire leaves `accountStatus` open-ended: a word, or a code of a bureau's
// own.
import { plainWords } from './plain-words.ts'

export type AccountStatus = {
  /** In plain lower-case words; for a code, what it stands for. */
  words: string
  /**
   * `open`: running, also when payments are late. `settled`: paid off or closed. `ended`: the lender ended it with
   * money owed.
   * `unclear`: missing, or nothing this table knows; it counts as none of the others.
   */
  standing: 'open' | 'settled' | 'ended' | 'unclear'
  /** Payments went wrong; a satisfied default is both late and settled. */
  isLate: boolean
  /** A code of the table below, whose words are ours and not the bureau's. */
  isCode: boolean
}

/**
 * From the keys that the agencies publish. `D` is missing on purpose: a default at one agency, a dormant account at
 * another.
 */
const CODES: { [code: string]: string } = {
  '0': 'up to date',
  ok: 'up to date',
  '1': '1 payment late',
  '2': '2 payments late',
  '3': '3 payments late',
  '4': '4 payments late',
  '5': '5 payments late',
  '6': '6 or more payments late',
  '8': 'default',
  '9': 'default',
  df: 'default',
  aa: 'early arrears',
  bb: 'sustained arrears',
  ap: 'arrangement to pay',
  ar: 'arrangement to pay',
  dm: 'debt management',
  da: 'debt passed to another company',
  dt: 'dormant',
  n: 'inactive',
  nr: 'no recent update',
  ic: 'insurance claim',
  q: 'query',
  qy: 'query',
  rp: 'repossession',
  s: 'settled',
  st: 'settled',
  sf: 'default satisfied',
  ps: 'partially settled',
  u: 'unclassified',
  uc: 'unclassified',
  us: 'unknown status',
  vs: 'voluntary surrender',
  vt: 'voluntary termination',
  wo: 'written off',
}

const SETTLED = `(settled|closed|satisfied|cleared|paid (off|up|in full))`
const LATE = String.raw`(arrears?|late|missed|overdue|delinquen\w*|arrangement|debt management)`
const BROKEN = String.raw`(default(ed)?|repossess\w*|(written|charged) off|insolven\w*|bankrupt\w*|iva|debt (passed|sold|assigned))`
// Handing a car back early is a right, not a missed payment.
const ENDED = `(${BROKEN}|voluntary (termination|surrender)|terminated)`
const RUNNING = `(open|active|live|current|up to date|ok|running|normal|on time|part paid|unsettled|inactive|dormant|unclassified)`

const word = (pattern: string) => new RegExp(String.raw`\b${pattern}\b`)
const settled = word(SETTLED)
const late = word(`(${LATE}|${BROKEN})`)
const ended = word(ENDED)
const running = word(`(${RUNNING}|${LATE})`)
// "not settled" and "no arrears" both say that the account runs.
const denied = new RegExp(String.raw`\b(no|not|never|without)( yet| in| any)? (${SETTLED}|${LATE}|${BROKEN})\b`, 'g')

export function readAccountStatus(status: string | null | undefined): AccountStatus {
  const plain = plainWords(status ?? '')
  const meaning = Object.hasOwn(CODES, plain) ? CODES[plain] : undefined
  const words = meaning ?? plain
  const said = words.replace(denied, 'open')
  return { words, standing: standingOf(said), isLate: late.test(said), isCode: meaning !== undefined }
}

/** Paid off or closed: what the report, the summary and a lender's rules all mean by it. */
export function isSettled(status: string | null | undefined): boolean {
  return readAccountStatus(status).standing === 'settled'
}

function standingOf(words: string): AccountStatus['standing'] {
  if (settled.test(words)) return 'settled'
  if (ended.test(words)) return 'ended'
  return running.test(words) ? 'open' : 'unclear'
}
