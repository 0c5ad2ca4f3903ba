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
export const AGENCIES_SENTENCE = 'The answer of each agency in the request.'

/** Of the field `match`, wherever it occurs. */
export const MATCH_FIELD = [
  'Whether the mobile number is known for the person: `matched`, `not-matched`, or `unknown`, which does not mean no. Absent where the installation has no match provider.',
  'matched',
] as const

/** Of every report, however it stands. */
export const REPORT_FIELDS = {
  creditReportId: ['The report’s id.', CREDIT_REPORT_ID],
  reference: [
    'The reference that a consumer sees and reads out: eight letters and digits.',
    shortReference(CREDIT_REPORT_ID),
  ],
  externalReference: ['Your own reference, as it was given.', REFERENCE],
  test: ['Whether it was made in test mode.', false],
  createdAt: ['The time of the request.', CREATED_AT, TIME],
} as const

/** Of an account, in its record and in a bureau's differences from it. */
const TERMS = {
  numberOfPayments: ['The number of payments agreed.', 48, COUNT],
  repaymentPeriod: ['The number of repayment periods, as the bureau counts them.', 48, COUNT],
  payment: 'The regular payment.',
  startBalance: 'The balance at the start.',
  balance: 'The balance now.',
} as const

export function reportWords(bureaus: readonly string[]): Component[] {
  return [
    component(
      'CreditReport',
      CreditReport,
      'A consumer’s credit report, put together from the bureaus that were asked.',
      {
        person: 'The person the report is about.',
        residencies: 'The person’s addresses, present and past.',
        consumerData: 'The person’s accounts.',
        previousSearches: 'Searches of the person’s file.',
        simulated: ['Present when the bureau was simulated outside test mode: the report is invented.', true],
      },
      { example: sampleFrom(bureaus).creditReport },
    ),
    component('Person', Person, 'The person a report is about.', {
      title: ['The person’s title.', 'Ms'],
      firstName: ['First name.', 'Sam'],
      lastName: ['Last name.', 'Example'],
      dateOfBirth: ['Date of birth, YYYY-MM-DD.', '1985-03-27', DATE],
    }),
    component('Residency', Residency, 'An address and how long the person has lived there.', {
      addressId: ['The id of the address within the report.', 'address-1'],
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
    component('ConsumerData', ConsumerData, 'The person’s accounts, as the bureaus know them.', {
      records: 'One record for each account, however many bureaus know it.',
    }),
    component('AccountRecord', AccountRecord, 'One account. An account that several bureaus know is one record.', {
      title: ['The title on the account.', 'Ms'],
      firstName: ['The first name on the account.', 'Sam'],
      lastName: ['The last name on the account.', 'Example'],
      accountNumber: ['The account number, masked except for its last digits.', '****4821'],
      accountType: [
        'The kind of account: `hire-purchase`, `credit-card`, `mortgage`, or another word of a bureau’s.',
        'hire-purchase',
      ],
      accountStatus: ['The status of the account: `open`, `settled`, or another word of a bureau’s.', 'open'],
      companyType: ['The kind of lender.', 'finance-house'],
      companyName: ['The lender.', 'Harbour Motor Finance'],
      ...TERMS,
      startDate: ['The date the account was opened, YYYY-MM-DD.', '2023-05-12', DATE],
      bureaus: 'The bureaus that know the account.',
    }),
    component('BureauReference', BureauReference, 'A bureau that knows the account, and its reference there.', {
      id: ['The bureau.', bureaus[0] ?? ''],
      ref: ['The bureau’s own reference.', 'EFX-20394'],
      differs: 'The fields in which this bureau differs from the record; absent where it agrees.',
    }),
    component(
      'AccountDifference',
      AccountDifference,
      'The fields in which one bureau differs from the record, which follows the first bureau.',
      {
        accountStatus: ['The status of the account.', 'default'],
        ...TERMS,
      },
      { example: { balance: { amount: 648_700, currency: 'GBP' } } },
    ),
    component('Agency', Agency, 'One agency of the request.', {
      id: ['The agency.', bureaus[0] ?? ''],
      status: [
        'The bureau’s answer: `answered`, its file is in the report; `no-file`, it has none; `unavailable`, it gave no usable answer; `not-asked`, it has been failing and was left out. A newer service may add more.',
        AGENCY_STATUSES[0],
      ],
    }),
    component('Money', Money, 'An amount of money.', {
      amount: ['In the smallest unit of the currency: pence for GBP.', 24_950],
      currency: ['The currency as a three-letter code of ISO 4217.', 'GBP'],
    }),
    component('PreviousSearches', PreviousSearches, 'Searches of the person’s file.', {
      providers: 'One entry for each company that searched.',
    }),
    component('SearchProvider', SearchProvider, 'A company that searched, and when.', {
      companyName: ['The company.', 'Northway Bank'],
      records: 'The company’s searches.',
    }),
    component('Search', Search, 'One search.', {
      date: ['The time of the search, in UTC.', '2025-11-03T09:15:00.000Z', TIME],
    }),
  ]
}
