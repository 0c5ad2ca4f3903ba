// One good example of everything on the wire: the examples of openapi.json, and the starting point of every contract
// test.
import type { Verified } from './challenge.ts'
import type { CreditReport } from './credit-report.ts'
import type { GenerateRequest } from './generate.ts'

export const sampleAddress = {
  type: 'current',
  ukAddress: {
    buildingNumber: '10',
    thoroughfare: 'Orchard Lane',
    townOrCity: 'Ambleford',
    postcode: 'SW1A 1AA',
  },
}

export const sampleRequest: GenerateRequest = {
  sessionId: 'wY1nXq0m3mT3hZlqC7m8cAx4uPq9LrB2',
  bureaus: ['equifax', 'experian'],
  ipAddress: '203.0.113.7',
  searchType: 'pcp',
  firstName: 'Sam',
  lastName: 'Example',
  dateOfBirth: '1985-03-27',
  addresses: [sampleAddress],
  title: 'Ms',
  mobileNumber: '+447700900123',
  email: 'test002@example.com',
  externalReference: 'order-1042',
  test: true,
  challengeOptions: { status: 'challenge' },
}

export const sampleReport: CreditReport = {
  person: { title: 'Ms', firstName: 'Sam', lastName: 'Example', dateOfBirth: '1985-03-27' },
  residencies: [
    {
      addressId: 'address-1',
      address: {
        type: 'uk',
        ukAddress: sampleAddress.ukAddress,
        addressLine1: '10 Orchard Lane, Ambleford, SW1A 1AA',
        lines: ['10 Orchard Lane', 'Ambleford', 'SW1A 1AA'],
      },
      yearsAtAddress: 4,
      monthsAtAddress: 7,
      isCurrent: true,
    },
  ],
  consumerData: {
    records: [
      {
        title: 'Ms',
        firstName: 'Sam',
        lastName: 'Example',
        accountNumber: '****4821',
        accountType: 'hire-purchase',
        accountStatus: 'open',
        companyType: 'finance-house',
        companyName: 'Harbour Motor Finance',
        numberOfPayments: 48,
        repaymentPeriod: 48,
        payment: { amount: 24_950, currency: 'GBP' },
        startBalance: { amount: 1_199_500, currency: 'GBP' },
        balance: { amount: 623_750, currency: 'GBP' },
        startDate: '2023-05-12',
        bureaus: [
          { id: 'equifax', ref: 'EFX-20394' },
          { id: 'experian', ref: 'EXP-88120' },
        ],
      },
    ],
  },
  previousSearches: {
    providers: [{ companyName: 'Northway Bank', records: [{ date: '2025-11-03T09:15:00.000Z' }] }],
  },
}

export const sampleVerified: Verified = {
  status: 'complete',
  creditReportId: '019a8756-1b27-7c3e-9f21-5d0c4a7be813',
  creditReport: sampleReport,
}
