import { expect, test } from 'vitest'
import { isOlder } from '../stats/versions.ts'
import { type FindingCode, findSetUp, type SetUpFacts } from './findings.ts'

const nowMs = Date.UTC(2026, 10, 17, 14)
const DAY_MS = 86_400_000
const secret = (id: string, endsInDays: number | null = null, { createdDaysAgo = 30, usedDaysAgo = 0 } = {}) => ({
  id,
  createdAtMs: nowMs - createdDaysAgo * DAY_MS,
  expiresAtMs: endsInDays === null ? null : nowMs + endsInDays * DAY_MS,
  lastUsedAtMs: nowMs - usedDaysAgo * DAY_MS,
})
const client = (...secrets: SetUpFacts['clients'][number]['secrets']) => ({
  id: 'acme-1',
  name: 'Webshop',
  disabledAtMs: null,
  secrets,
})
const tenant = { isSuspended: false, balanceCredits: 10_000, reportPriceCredits: 500, lowBalanceCredits: 1_000 }
const seen = (version: string, { test = false, daysAgo = 0 } = {}) => ({
  kind: 'proxy' as const,
  version,
  test,
  seenAtMs: nowMs - daysAgo * DAY_MS,
})
const good: SetUpFacts = {
  nowMs,
  newest: '0.3.0',
  tenant,
  clients: [client(secret('a'))],
  endpoints: 1,
  failing: 0,
  hasLiveCheck: true,
  hasMatch: true,
  versions: [seen('0.3.0')],
  doctor: [],
}
const fresh = { createdDaysAgo: 2 }

test.each<[name: string, facts: Partial<SetUpFacts>, codes: FindingCode[]]>([
  ['a set-up without fault', {}, []],
  ['a suspended lender', { tenant: { ...tenant, isSuspended: true } }, ['suspended']],
  ['less than one report', { tenant: { ...tenant, balanceCredits: 499 } }, ['balance-empty']],
  ['just one report, below the alert', { tenant: { ...tenant, balanceCredits: 500 } }, ['balance-low']],
  ['exactly the alert', { tenant: { ...tenant, balanceCredits: 1_000 } }, []],
  ['no alert', { tenant: { ...tenant, lowBalanceCredits: null } }, ['no-low-balance-alert']],
  ['no client', { clients: [] }, ['no-client']],
  ['a revoked client alone', { clients: [{ ...client(secret('a')), disabledAtMs: 1 }] }, ['no-client']],
  ['a client without a secret', { clients: [client()] }, ['no-client']],
  ['one with a secret beside one without', { clients: [client(), client(secret('a'))] }, []],
  ['the only secret ends in 14 days', { clients: [client(secret('a', 14))] }, ['secret-ends']],
  ['… in 15 days', { clients: [client(secret('a', 15))] }, []],
  [
    'a revoked client’s secret ends',
    { clients: [client(secret('b')), { ...client(secret('a', 1)), disabledAtMs: 1 }] },
    [],
  ],
  [
    'a replaced secret that is not used any more',
    { clients: [client(secret('a', 1, { usedDaysAgo: 3 }), secret('b', null, fresh))] },
    [],
  ],
  [
    'a replaced secret that is still used',
    { clients: [client(secret('a', 1), secret('b', null, fresh))] },
    ['secret-in-use'],
  ],
  ['both end soon', { clients: [client(secret('a', 1), secret('b', 13, fresh))] }, ['secret-ends']],
  ['events that do not arrive', { failing: 3 }, ['webhook-failing']],
  ['no webhook', { endpoints: 0 }, ['no-webhook']],
  ['no live check', { hasLiveCheck: false }, ['no-live-check']],
  ['no match provider', { hasMatch: false }, ['no-match-provider']],
  ['an older proxy, in both modes', { versions: [seen('0.2.9'), seen('0.2.9', { test: true })] }, ['newer-version']],
  ['an older proxy that was updated since', { versions: [seen('0.3.0'), seen('0.2.0', { daysAgo: 1 })] }, []],
  ['a proxy that is newer than the service', { versions: [seen('0.10.0')] }, []],
  ['no version seen', { versions: [] }, []],
])('%s', (_name, facts, codes) => {
  expect(findSetUp({ ...good, ...facts }).map(({ code }) => code)).toEqual(codes)
})

test('problems come before advice', () => {
  const levels = findSetUp({ ...good, endpoints: 0, failing: 1, clients: [] }).map(({ level }) => level)
  expect(levels).toEqual(['problem', 'problem', 'advice'])
})

test.each([
  ['0.2.0', '0.3.0', true],
  ['0.9.0', '0.10.0', true],
  ['0.3.0', '0.3.0', false],
  ['1.0.0', '0.9.9', false],
  ['0.2.0', 'source', false],
] as const)('%s is older than %s: %s', (version, other, expected) => {
  expect(isOlder(version, other)).toBe(expected)
})
