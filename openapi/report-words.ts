// The report itself.
import {
  AccountDifference,
  AccountRecord,
  AGENCY_STATUSES,
  Agency,
  BureauReference,
  ConsumerData,
  CreditReport,
  Person,
  PreviousSearches,
  ReportedAddress,
  ReportedUkAddress,
  Residency,
  Search,
  SearchProvider,
} from '../contract/credit-report.ts'
import { Money } from '../contract/money.ts'
import { sampleAddress } from '../contract/samples.ts'
import { shortReference } from '../contract/short-reference.ts'
import { COUNT, type Component, component, DATE, TIME } from './component.ts'
import { CREATED_AT, CREDIT_REPORT_ID, REFERENCE, sampleFrom } from './samples.ts'

/** Of the field `agencies`, wherever it occurs. */
export const AGENCIES_SENTENCE = 'What each agency of the request had to say.'

/** Of the field `match`, wherever it occurs. */
export const MATCH_FIELD = [
  'Whether the mobile number is known for the person: `matched`, `not-matched`, or `unknown`, which is not a no. Absent where the installation has no match provider.',
  'matched',
] as const

/** Of every report, however it stands. */
export const REPORT_FIELDS = {
  creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
  reference: ['What a consumer is shown and reads out: eight letters and digits.', shortReference(CREDIT_REPORT_ID)],
  externalReference: ['Your own reference, as it was given.', REFERENCE],
  test: ['Whether it was made in test mode.', false],
  createdAt: ['When it was asked for.', CREATED_AT, TIME],
} as const

export function reportWords(bureaus: readonly string[]): Component[] {
  return [
    component(
      'CreditReport',
      CreditReport,
      'A consumer’s credit report, put together from the bureaus that were asked.',
      {
        person: 'Whom the report is about.',
        residencies: 'Where the person lives and lived.',
        consumerData: 'The person’s accounts.',
        previousSearches: 'Who has searched the person’s file.',
        simulated: ['Present when the bureau was simulated outside test mode: the report is invented.', true],
      },
      { example: sampleFrom(bureaus).creditReport },
    ),
    component('Person', Person, 'Whom a report is about.', {
      title: ['How the person is addressed.', 'Ms'],
      firstName: ['First name.', 'Sam'],
      lastName: ['Last name.', 'Example'],
      dateOfBirth: ['Date of birth, YYYY-MM-DD.', '1985-03-27', DATE],
    }),
    component('Residency', Residency, 'An address and how long the person has lived there.', {
      addressId: ['Tells the addresses of one report apart.', 'address-1'],
      address: 'The address.',
      yearsAtAddress: ['Whole years at the address.', 4, COUNT],
      monthsAtAddress: ['Months at the address beyond the whole years.', 7, { ...COUNT, maximum: 11 }],
      isCurrent: ['Whether the person lives there now.', true],
    }),
    component('ReportedAddress', ReportedAddress, 'An address as the report has it.', {
      type: ['The kind of address; `uk` today.', 'uk'],
      ukAddress: 'The address in parts.',
      addressLine1: ['The whole address as one text.', '10 Orchard Lane, Ambleford, SW1A 1AA'],
      lines: ['The address as it would be printed, a line each.', ['10 Orchard Lane', 'Ambleford', 'SW1A 1AA']],
    }),
    component(
      'ReportedUkAddress',
      ReportedUkAddress,
      'A UK address in parts, as far as they are known.',
      {
        subBuildingName: ['The flat or unit within a building.', 'Flat 2'],
        buildingName: ['The name of the building.', 'Orchard House'],
        buildingNumber: ['The number of the building in its street.', '10'],
        thoroughfare: ['The street.', 'Orchard Lane'],
        district: ['The district or locality within the town.', 'Netherby'],
        townOrCity: ['The post town.', 'Ambleford'],
        county: ['The county.', 'Westshire'],
        country: ['The country code.', 'GB'],
        postcode: ['The postcode.', 'SW1A 1AA'],
      },
      { example: sampleAddress.ukAddress },
    ),
    component('ConsumerData', ConsumerData, 'What the bureaus know of the person’s accounts.', {
      records: 'One record for each account, however many bureaus know it.',
    }),
    component('AccountRecord', AccountRecord, 'One account. An account that several bureaus know is one record.', {
      title: ['The title on the account.', 'Ms'],
      firstName: ['The first name on the account.', 'Sam'],
      lastName: ['The last name on the account.', 'Example'],
      accountNumber: ['The account number, masked but for its trailing digits.', '****4821'],
      accountType: [
        'The kind of account: `hire-purchase`, `credit-card`, `mortgage`, or another word of a bureau’s.',
        'hire-purchase',
      ],
      accountStatus: ['How the account stands: `open`, `settled`, or another word of a bureau’s.', 'open'],
      companyType: ['The kind of lender.', 'finance-house'],
      companyName: ['The lender.', 'Harbour Motor Finance'],
      numberOfPayments: ['How many payments were agreed.', 48, COUNT],
      repaymentPeriod: ['Over how many periods it is repaid, as the bureau counts them.', 48, COUNT],
      payment: 'What is paid each time.',
      startBalance: 'What was owed at the start.',
      balance: 'What is owed now.',
      startDate: ['When the account was opened, YYYY-MM-DD.', '2023-05-12', DATE],
      bureaus: 'The bureaus that know the account.',
    }),
    component('BureauReference', BureauReference, 'Which bureau knows an account, and under what reference.', {
      id: ['The bureau.', bureaus[0] ?? ''],
      ref: ['The bureau’s own reference.', 'EFX-20394'],
      differs: 'What this bureau says otherwise than the record; absent where it agrees.',
    }),
    component(
      'AccountDifference',
      AccountDifference,
      'Where one bureau differs from the record, which follows the first bureau.',
      {
        accountStatus: ['How the account stands.', 'default'],
        numberOfPayments: ['How many payments were agreed.', 48, COUNT],
        repaymentPeriod: ['Over how many periods it is repaid.', 48, COUNT],
        payment: 'What is paid each time.',
        startBalance: 'What was owed at the start.',
        balance: 'What is owed now.',
      },
      { example: { balance: { amount: 648_700, currency: 'GBP' } } },
    ),
    component('Agency', Agency, 'One agency of the request.', {
      id: ['The agency.', bureaus[0] ?? ''],
      status: [
        'What it had to say: `answered`, its file is in the report; `no-file`, it said that it has none; `unavailable`, it gave no usable answer; `not-asked`, it has been failing and was left out. A newer service may know more.',
        AGENCY_STATUSES[0],
      ],
    }),
    component('Money', Money, 'An amount of money.', {
      amount: ['In the smallest unit of the currency: pence for GBP.', 24_950],
      currency: ['The currency as a three-letter code of ISO 4217.', 'GBP'],
    }),
    component('PreviousSearches', PreviousSearches, 'Who has searched the person’s file.', {
      providers: 'One entry for each company that searched.',
    }),
    component('SearchProvider', SearchProvider, 'A company that searched, and when.', {
      companyName: ['The company.', 'Northway Bank'],
      records: 'Each search of the company’s.',
    }),
    component('Search', Search, 'One search.', {
      date: ['When it was made, in UTC.', '2025-11-03T09:15:00.000Z', TIME],
    }),
  ]
}
