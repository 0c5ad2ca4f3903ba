// Every word of the report in British English, but for those in `help/`. Plain text with {gaps}, so that a translation
// is data and never code.

/** A phrase, or one for each plural form a language has; `{n}` is the number. */
export type Phrase = string | ({ [form in Intl.LDMLPluralRule]?: string } & { other: string })

/** Words for a name on the wire, written in lower case with spaces. A name that is not listed is shown as it came. */
type Dictionary = { [name: string]: string }

export const reportStrings = {
  title: 'Your credit report',
  purpose: 'Companies told the agencies this about you. It is not a score or a decision.',
  prepared: 'Prepared on',
  agencies: 'Agencies',
  agency: 'Agency',
  noFile: 'No file under these details at {agencies}.',
  agenciesUnknown: 'This report does not say which agencies were asked. There may be more on your files.',
  reportReference: 'Reference',
  synthetic: 'Synthetic data',
  syntheticMeaning: 'This is a test. The person, accounts and searches are made up.',
  print: 'Print or save',
  cannotPrint:
    'This browser cannot print or save pages. You can take screenshots, or ask the agencies for a copy of your report. It is free.',
  hideAmounts: 'Hide amounts',
  close: 'Close my report',
  stillThere: 'Are you still there?',
  lockingSoon: 'We will lock your report in 1 minute to keep it private. Your date of birth opens it again.',
  closingSoon: 'We will close your report in 1 minute to keep it private. You cannot open it here again.',
  keepOpen: 'Keep it open',
  hidden: 'Hidden',
  notReported: 'Not reported',
  inCredit: '{amount} in credit',

  clear: 'Nothing needs your attention',
  clearMeaning: 'No account is reported late or in default.',
  allSettled: 'Every account here is settled, and you owe nothing on them.',
  inDefault: { one: '1 account is in default', other: '{n} accounts are in default' } as Phrase,
  isLate: { one: '1 account is late', other: '{n} accounts are late' } as Phrase,
  isUnclear: {
    one: '1 account has ended or is not clear',
    other: '{n} accounts have ended or are not clear',
  } as Phrase,
  toCheck: { one: 'Check 1 company that searched', other: 'Check {n} companies that searched' } as Phrase,
  toCheckMeaning: 'It searched in the last 3 months and has no account of yours.',
  away: '{agencies} did not answer. There may be accounts we cannot show.',
  unreadable: {
    one: '1 detail could not be read, and is shown as “Not reported”.',
    other: '{n} details could not be read, and are shown as “Not reported”.',
  } as Phrase,

  owed: 'You owe',
  nothing: 'Nothing',
  mortgageApart: 'and {amount} on mortgages.',
  onMortgages: 'on mortgages.',
  unreported: { one: '1 balance is not reported.', other: '{n} balances are not reported.' } as Phrase,
  payments: 'Regular payments',
  onOpenAccounts: { one: 'on 1 open account.', other: 'on {n} open accounts.' } as Phrase,
  unpriced: { one: '1 payment is not reported.', other: '{n} payments are not reported.' } as Phrase,
  leftOut: {
    one: '1 account that is not open is left out.',
    other: '{n} accounts that are not open are left out.',
  } as Phrase,
  paidHowOften: 'How often is not reported.',
  others: { one: '1 other account', other: '{n} other accounts' } as Phrase,
  mortgages: { one: '1 mortgage', other: '{n} mortgages' } as Phrase,

  accounts: 'Accounts',
  late: 'Late or in default',
  open: 'Open',
  unclear: 'Ended or not clear',
  settled: 'Settled',
  lateAdvice: {
    one: 'Ask the company what this means for you. If paying is hard, {help} gives free advice.',
    other: 'Ask each company what this means for you. If paying is hard, {help} gives free advice.',
  } as Phrase,
  balance: 'Balance',
  regular: '{amount} regular',
  noPayment: 'payment not reported',
  ending: 'ending {digits}',
  repaid: '{percent} of {start} repaid',
  nothingRepaid: 'None of {start} repaid',
  asReported: 'As reported: {status}. Ask the agency what this means.',
  moreAccounts: { one: 'Show 1 more account', other: 'Show {n} more accounts' } as Phrase,
  noAccounts: 'No accounts are reported in your name.',
  unnamed: 'Company not named',

  details: 'Details',
  status: 'Status',
  opened: 'Account opened',
  startBalance: 'Opening balance',
  payment: 'Regular payment',
  numberOfPayments: 'Number of payments',
  repaymentPeriod: 'Repayment period',
  companyType: 'Type of company',
  nameOnRecord: 'Name on it',
  marks: { reports: 'reports it', silent: 'does not report it', away: 'did not answer' },
  referenceOf: '{agency} reference',
  unrecognised: 'I do not recognise this',

  sideBySide: 'Agencies side by side',
  differing: { one: '1 differs', other: '{n} differ' } as Phrase,

  overTime: 'Over time',
  oldest: 'Oldest account: {date}',
  addresses: 'Addresses',
  searches: 'Searches',
  searchesInYear: { one: '1 search in 12 months.', other: '{n} searches in 12 months.' } as Phrase,
  noSearchesInYear: 'No search in 12 months.',

  whoSearched: 'Who searched',
  searchedAdvice:
    'Companies without an account of yours: this is usual when you compare offers. If you did not, choose “I do not recognise this”.',
  undated: { one: '1 without a date', other: '{n} without a date' } as Phrase,
  moreSearches: { one: 'Show 1 more company', other: 'Show {n} more companies' } as Phrase,
  searchesUnknown:
    'Not a name you know? Companies trade under other names, and comparison sites search for several lenders.',
  noSearches: 'No searches are reported.',

  about: 'About you',
  address: 'Address',
  stay: 'Time at this address: {time}',
  noAddresses: 'No addresses are reported.',

  wrong: 'If something is wrong',
  wrongInShort:
    'Tell the agency that reports it, or the company. The agency must answer within 28 days. If someone has used your name, call the company today.',
  glossary: 'What the words mean',
  helpFailed: 'This part did not load.',
  comeBack: {
    one: 'If you leave, your date of birth opens it again on this device for 1 minute.',
    other: 'If you leave, your date of birth opens it again on this device for {n} minutes.',
  } as Phrase,
  privacy: 'Close your report if others use this device.',

  nothingOnFile: 'Nothing on file',
  empty: 'No accounts or searches',
  emptyMeaning: 'There are none under these details at {agencies}.',
  emptyUsual: 'That is usual for people who are young, have not borrowed, or are new to the UK.',
  emptySteps: [
    'Check your name, date of birth and addresses below.',
    'Register to vote where you live: {vote}. It helps agencies to find you.',
    'If you do have accounts, ask an agency why they are missing.',
  ],

  accountTypes: { pcp: 'Personal contract purchase (PCP)', hp: 'Hire purchase' } as Dictionary,
  accountStatuses: {} as Dictionary,
}

export type ReportStrings = typeof reportStrings
