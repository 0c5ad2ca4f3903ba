// Every word of the report in British English. Plain text with {gaps}, so that a translation is data and never code.

/** A phrase, or one for each plural form a language has; `{n}` is the number. */
export type Phrase = string | ({ [form in Intl.LDMLPluralRule]?: string } & { other: string })

/** Words for a name on the wire, written in lower case with spaces. A name that is not listed is shown as it came. */
type Dictionary = { [name: string]: string }

/** The word, and what it means. */
type Meaning = [word: string, meaning: string]

type Explained =
  | 'agency'
  | 'balance'
  | 'openingBalance'
  | 'reference'
  | 'settled'
  | 'arrears'
  | 'arrangement'
  | 'debtManagement'
  | 'default'
  | 'query'
  | 'unclassified'
  | 'hirePurchase'
  | 'pcp'

export const reportStrings = {
  title: 'Your credit report',
  allSettled: 'Every account here is settled, and you owe nothing on them.',
  purpose: 'What companies have told the agencies about you. It is not a score or a decision.',
  prepared: 'Prepared on',
  agencies: 'Agencies',
  agency: 'Agency',
  away: '{agencies} did not answer. There may be accounts we cannot show.',
  noFile: 'No file under these details at {agencies}.',
  agenciesUnknown: 'This report does not say which agencies were asked. There may be more on your files.',
  reportReference: 'Reference',
  synthetic: 'Synthetic data',
  syntheticMeaning: 'This is a test. The person, accounts and searches are made up.',
  contents: 'In this report',
  print: 'Print or save',
  cannotPrint:
    'This browser cannot print or save pages. You can take screenshots, or ask the agencies for a copy of your report. It is free.',
  hideAmounts: 'Hide amounts',
  close: 'Close my report',
  stillThere: 'Are you still there?',
  lockingSoon: 'We will lock your report in 1 minute to keep it private.',
  keepOpen: 'Keep it open',
  hidden: 'Hidden',
  notReported: 'Not reported',
  inCredit: '{amount} in credit',

  owed: 'You owe',
  mortgageApart: 'and {amount} on mortgages',
  unreported: { one: '1 balance is not reported', other: '{n} balances are not reported' } as Phrase,
  payments: 'Regular payments reported',
  onOpenAccounts: { one: 'on 1 open account', other: 'on {n} open accounts' } as Phrase,
  unpriced: { one: '1 payment is not reported', other: '{n} payments are not reported' } as Phrase,
  leftOut: {
    one: '1 account that is not open is left out',
    other: '{n} accounts that are not open are left out',
  } as Phrase,
  paidHowOften: 'Agencies do not say how often each is paid',
  attention: 'Needs attention',
  noConcerns: 'No account here is late or in default',
  recentSearches: 'Searches in 12 months',

  concerns: 'What needs attention',
  lateAccounts: {
    one: '1 account is late or in default',
    other: '{n} accounts are late or in default',
  } as Phrase,
  late: '{company} reports “{status}”',
  lateAdvice: {
    one: 'Ask the company what this means for you. If paying is hard, {help} gives free advice.',
    other: 'Ask each company what this means for you. If paying is hard, {help} gives free advice.',
  } as Phrase,
  searchedLately: {
    one: '1 company searched in the last 3 months',
    other: '{n} companies searched in the last 3 months',
  } as Phrase,
  searchedAdvice:
    'They report no account of yours. This is usual when you compare offers. If you did not, choose “I do not recognise this” beside the search.',
  undated: { one: '1 date is not reported', other: '{n} dates are not reported' } as Phrase,

  accounts: 'Accounts',
  balance: 'Balance',

  open: 'Open',
  settled: 'Settled',
  otherStatus: 'Other',
  asReported: 'As reported: {status}. Ask the agency what this means.',
  filter: 'Show',
  allTypes: 'All types',
  moreAccounts: { one: 'Show 1 more account', other: 'Show {n} more accounts' } as Phrase,
  noAccounts: 'No account is reported in your name.',
  unnamed: 'Company not named',
  // The same at the beginning of a sentence.
  aCompany: 'A company that is not named',
  opened: 'Account opened',
  openedOn: 'Account opened {date}',
  ending: 'ending {digits}',
  repaid: '{repaid} of {start} repaid',
  differs: '{agency} reports otherwise:',
  more: 'More about this account',
  startBalance: 'Opening balance',
  payment: 'Regular payment',
  numberOfPayments: 'Number of payments',
  repaymentPeriod: 'Repayment period',
  companyType: 'Type of company',
  referenceOf: '{agency} reference',
  unrecognised: 'I do not recognise this',
  letterLead: 'This page cannot change the record. Copy these words and send them to:',
  letterAccount:
    'I do not recognise this account on my credit file. Please check it with the company, remove it if it is not mine, and tell me the result within 28 days.',
  letterSearch:
    'I do not recognise this search on my credit file. Please ask the company why it searched, remove the search if I did not agree to it, and tell me the result within 28 days.',
  company: 'Company',
  type: 'Type',
  accountEnding: 'Account number ending',
  searchedOn: 'Searched on',
  copy: 'Copy',
  copied: 'Copied',

  whoSearched: 'Who searched',
  moreSearches: { one: 'Show 1 more company', other: 'Show {n} more companies' } as Phrase,
  searchesUnknown:
    'Not a name you know? Companies trade under other names, and comparison sites search for several lenders.',
  noSearches: 'No searches are reported.',

  about: 'About you',
  address: 'Address',
  stay: 'Time at this address: {time}',
  noAddresses: 'No addresses are reported.',

  glossary: 'What the words mean',
  meanings: {
    agency: ['Credit reference agency', 'A company that keeps records of how people borrow and repay.'],
    balance: ['Balance', 'What the company last said is owed.'],
    openingBalance: ['Opening balance', 'What was owed at the start.'],
    reference: ['Reference', 'The agency’s own number for a record.'],
    settled: ['Settled', 'Paid off and closed.'],
    arrears: ['Arrears', 'Payments that are late.'],
    arrangement: ['Arrangement', 'A lower payment that the company agreed to.'],
    debtManagement: ['Debt management', 'A plan to pay several companies back through one lower payment.'],
    default: ['Default', 'The company ended the agreement after missed payments. It stays on file for six years.'],
    query: ['Query', 'Someone is checking whether the record is right.'],
    unclassified: ['Unclassified', 'Too new to say, or the company has sent no payment record.'],
    hirePurchase: ['Hire purchase', 'You pay monthly and own the item after the last payment.'],
    pcp: ['PCP', 'Personal contract purchase. You pay monthly, then return the car or pay a final sum to keep it.'],
  } as { [word in Explained]: Meaning },

  wrong: 'If something is wrong',
  wrongSteps: [
    'Check again: companies trade under other names, and figures can be some weeks old.',
    'Tell the agency that reports it, or the company. “I do not recognise this” beside each account and search gives you the words.',
    'The agency must answer within 28 days. Until then the record is marked as queried.',
    'If you still disagree, add a notice of correction: up to 200 words of yours that lenders will see.',
    'After that, you can complain to the Information Commissioner: {ico}.',
  ],
  fraud: 'If someone has used your name, call the company today and ask {cifas} to protect it.',
  comeBack: {
    one: 'For 1 minute you can come back to it on this device; we may ask for your date of birth.',
    other: 'For {n} minutes you can come back to it on this device; we may ask for your date of birth.',
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
