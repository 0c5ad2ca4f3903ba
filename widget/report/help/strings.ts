// The words of what is loaded when it is opened: letters to the agencies, what to do when something is wrong, what the
// words mean.

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

export const helpStrings = {
  letterLead:
    'This page cannot change the record. Send this letter to the agency, on its own page, by e-mail or by post:',
  letterAccount:
    'I do not recognise this account on my credit file. Please check it with the company, remove it if it is not mine, and tell me the result within 28 days.',
  letterSearch:
    'I do not recognise this search on my credit file. Please ask the company why it searched, remove the search if I did not agree to it, and tell me the result within 28 days.',
  letterSubject: 'An entry on my credit file that I do not recognise',
  company: 'Company',
  type: 'Type',
  accountEnding: 'Account number ending',
  searchedOn: 'Searched on',
  copy: 'Copy the letter',
  copied: 'Copied',
  mail: 'Open it in your e-mail app',

  wrongSteps: [
    'Check again: companies trade under other names, and figures can be some weeks old.',
    'Tell the agency that reports it, or the company. “I do not recognise this” beside each account and search gives you a letter.',
    'The agency must answer within 28 days. Until then the record is marked as queried.',
    'If you still disagree, add a notice of correction: up to 200 words of yours that lenders will see.',
  ],
  complain: 'After that, you can complain to the Information Commissioner:',
  fraud: 'If someone has used your name, call the company today and ask {cifas} to protect it.',

  meanings: {
    agency: ['Credit reference agency', 'A company that keeps records of how people borrow and repay.'],
    balance: ['Balance', 'The amount owed, as the company last reported it.'],
    openingBalance: ['Opening balance', 'The amount owed at the start.'],
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
}

export type HelpStrings = typeof helpStrings
