// The invented report of each scenario, as small as a test wants it: the agencies agree, and no amount varies.
import { type AccountRecord, type AgencyAnswer, type CreditReport, isDelivered } from '../../contract/credit-report.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { sampleReport } from '../../contract/samples.ts'
import type { Scenario } from '../../contract/tenant-proxy.ts'
import { playedAgency, type Trigger } from '../../contract/test-triggers.ts'

type Account = Pick<AccountRecord, 'accountType' | 'accountStatus' | 'companyType' | 'companyName'>

const hirePurchase: Account = {
  accountType: 'hire-purchase',
  accountStatus: 'open',
  companyType: 'finance-house',
  companyName: 'Larkfield Motor Finance',
}
const card = { ...hirePurchase, accountType: 'credit-card', companyType: 'bank', companyName: 'Brackenbury Bank' }
const mortgage = {
  ...hirePurchase,
  accountType: 'mortgage',
  companyType: 'building-society',
  companyName: 'Oakhollow Building Society',
}
const settled = { accountStatus: 'settled' }

const ACCOUNTS: { [scenario in Scenario]: readonly Account[] } = {
  test001: [],
  test002: [hirePurchase],
  test003: [hirePurchase, card, mortgage],
  test004: [
    { ...hirePurchase, ...settled },
    { ...card, ...settled },
  ],
  default: [hirePurchase, card, mortgage, { ...hirePurchase, companyName: 'Merrowdown Car Finance' }],
}

export type MadeReport = { creditReport: CreditReport; agencies: AgencyAnswer[] }

/** Null when no agency answers. */
export function inventReport(request: GenerateRequest, trigger: Trigger | null): MadeReport | null {
  const prefix = request.email?.split('@')[0]?.toLowerCase() ?? ''
  const accounts = Object.hasOwn(ACCOUNTS, prefix) ? ACCOUNTS[prefix as Scenario] : ACCOUNTS.default
  const status = accounts.length === 0 ? 'no-file' : 'answered'
  const last = playedAgency(trigger)
  const agencies = request.bureaus.map((id, index): AgencyAnswer => {
    const isLast = index === request.bureaus.length - 1
    return { id, status: isLast && last !== null ? last : status }
  })
  if (!agencies.some(isDelivered)) return null
  const answered = agencies.filter((agency) => agency.status === 'answered').map(({ id }) => id)
  const { title, firstName, lastName, dateOfBirth } = request
  const name = { ...(title && { title }), firstName, lastName }
  const records =
    answered.length === 0 ? [] : accounts.map((account, index) => recordOf(account, { name, index, answered }))
  return {
    agencies,
    creditReport: {
      person: { ...name, dateOfBirth },
      residencies: request.addresses.map(residencyOf),
      consumerData: { records },
      previousSearches: records.length === 0 ? { providers: [] } : sampleReport.previousSearches,
    },
  }
}

type About = { name: Pick<AccountRecord, 'title' | 'firstName' | 'lastName'>; index: number; answered: string[] }

function recordOf(account: Account, { name, index, answered }: About): AccountRecord {
  const amount = (pence: number) => ({ amount: pence, currency: 'GBP' })
  return {
    ...name,
    accountNumber: `****${4821 + index}`,
    ...account,
    numberOfPayments: 48,
    repaymentPeriod: 48,
    payment: amount(24_950),
    startBalance: amount(1_199_500),
    balance: amount(account.accountStatus === 'settled' ? 0 : 623_750),
    startDate: '2023-05-12',
    bureaus: answered.map((id) => ({ id, ref: `${id.slice(0, 3).toUpperCase()}-${20394 + index}` })),
  }
}

function residencyOf({ ukAddress }: GenerateRequest['addresses'][number], index: number) {
  const { subBuildingName, buildingName, buildingNumber, thoroughfare, district, townOrCity, county, postcode } =
    ukAddress
  const street = [buildingNumber, thoroughfare].filter(Boolean).join(' ')
  const lines = [subBuildingName, buildingName, street, district, townOrCity, county, postcode].flatMap(
    (line) => line || [],
  )
  return {
    addressId: `address-${index + 1}`,
    address: { type: 'uk', ukAddress, addressLine1: lines.join(', '), lines },
    yearsAtAddress: 4,
    monthsAtAddress: 7,
    isCurrent: index === 0,
  }
}
