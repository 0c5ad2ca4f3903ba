// Optional for a check. What the service says about this lender: credentials, tenant, wallet, agencies, what is
// simulated. Two calls where all is well; no cost, no text.
import { BUREAUS } from '../../contract/credit-report.ts'
import { envelope } from '../../contract/envelope.ts'
import { read } from '../../contract/problems.ts'
import { Wallet } from '../../contract/wallet.ts'
import { type AccessToken, createAccessToken, TokenError } from '../client/access-token.ts'
import type { Settings } from '../settings.ts'
import { bad, type Diagnosis, good } from './diagnosis.ts'

export const CHECK_TIMEOUT_MS = 5_000
const UNKNOWN_ID = 'doctor'

/** The part of a report that browsers get is a choice, not a fault: reported so that it is made knowingly. */
const EXPOSED: Record<NonNullable<Settings['exposeReport']>, string> = {
  matched:
    'the browser gets the whole report where the mobile number is known for the person, and its figures otherwise',
  full: 'the browser gets the whole report: a code proves a phone, not a person, so a person who knows someone’s details and types their own number sees it; `exposeReport` can say less',
  summary: 'the browser gets the figures of a report, not the report',
  none: 'the browser gets nothing of a report',
}

export type Account = { token: string | null; found: Diagnosis[] }

export function createAccountToken({ serviceUrl, credentials, transport, clock }: Settings): AccessToken {
  return createAccessToken({ serviceUrl, credentials, transport, clock, timeoutMs: CHECK_TIMEOUT_MS })
}

export async function examineAccount(accessToken: AccessToken, settings: Settings): Promise<Account> {
  const { credentials, tenantId } = settings
  try {
    const token = await accessToken.get()
    const accepted = good('credentials', `are accepted for ${credentials.clientId}`)
    const wallet = await readWallet(token, settings)
    // A wallet that can be read is this tenant's.
    const tenant =
      wallet?.tenantId === tenantId
        ? good('tenant', `${tenantId} belongs to these credentials`)
        : await checkTenant(token, settings)
    return { token, found: [accepted, tenant, ...judgeWallet(wallet, settings)] }
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    return { token: null, found: [judgeToken(error, settings), ...withoutAccount(settings)] }
  }
}

/** Findings that need no request. */
export function withoutAccount(settings: Settings): Diagnosis[] {
  return [checkExposed(settings, null), ...checkAgencies(settings, null)]
}

function judgeToken({ isRefused, status, message }: TokenError, { serviceUrl }: Settings): Diagnosis {
  if (isRefused) {
    const fix = 'check `credentials`: the client id or the secret is wrong, or was revoked'
    return bad('credentials', message, fix, { stops: 'misconfigured' })
  }
  if (status === undefined) return unreachable(serviceUrl)
  const isBusy = status >= 500 || status === 429
  const fix = isBusy
    ? 'the service is up but gives no tokens: check `service`, then ask its operator'
    : 'check `service`: this is not the service'
  return bad('credentials', `${message} (HTTP ${status})`, fix, { stops: isBusy ? 'unavailable' : 'misconfigured' })
}

export function unreachable(serviceUrl: string): Diagnosis {
  const fix = 'check `service`, and that this machine may reach it'
  return bad('service', `does not answer at ${serviceUrl}`, fix, { stops: 'unavailable' })
}

/** Null where it cannot be read: a client may have no right to. */
async function readWallet(token: string, { serviceUrl, tenantId, transport }: Settings): Promise<Wallet | null> {
  const response = await transport({
    method: 'GET',
    url: `${serviceUrl}/${encodeURIComponent(tenantId)}/v1/wallet`,
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    timeoutMs: CHECK_TIMEOUT_MS,
  }).catch(() => null)
  const wallet = read(envelope(Wallet), response?.status === 200 ? response.body : null)
  return wallet.ok ? wallet.value.data : null
}

/** A code for a report that cannot exist: tenants are checked before reports, so 404 means that the tenant is right. */
async function checkTenant(token: string, { serviceUrl, tenantId, transport }: Settings): Promise<Diagnosis> {
  const response = await transport({
    method: 'POST',
    url: `${serviceUrl}/${encodeURIComponent(tenantId)}/v1/credit-reports/${UNKNOWN_ID}/otp-challenge`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ challengeId: UNKNOWN_ID, code: UNKNOWN_ID }),
    timeoutMs: CHECK_TIMEOUT_MS,
  }).catch(() => null)
  if (response?.status === 404) return good('tenant', `${tenantId} belongs to these credentials`)
  if (response?.status === 403) {
    const message = `these credentials may not act for ${tenantId}`
    return bad('tenant', message, 'check `tenantId`', { stops: 'misconfigured' })
  }
  return bad(
    'tenant',
    `${tenantId} could not be checked (HTTP ${response?.status ?? 'error'})`,
    'check `service` and try again',
  )
}

function judgeWallet(wallet: Wallet | null, settings: Settings): Diagnosis[] {
  if (wallet === null) return withoutAccount(settings)
  const { balanceCredits, reportPriceCredits, matchPriceCredits, bureaus = null, simulated = [] } = wallet
  const words = `holds ${balanceCredits} credits, and a report costs ${reportPriceCredits}`
  const isLive = settings.test === null
  const isEmpty = balanceCredits < reportPriceCredits && isLive
  const topUp = 'top the wallet up: until then every check is refused'
  const invented = isLive && simulated.length > 0
  return [
    checkExposed(settings, matchPriceCredits !== undefined),
    isEmpty
      ? bad('wallet', words, topUp, { code: 'empty-wallet', stops: 'insufficient-funds' })
      : good('wallet', words),
    ...checkAgencies(settings, bureaus),
    ...(invented ? [judgeSimulated(simulated)] : []),
  ]
}

/** `known` is null where the service does not say. */
function checkAgencies({ bureaus }: Settings, known: readonly string[] | null): Diagnosis[] {
  const unknown = bureaus.filter((bureau) => !(known ?? BUREAUS).some((each) => each === bureau))
  if (unknown.length === 0) return []
  const names = unknown.join(', ')
  if (known === null) {
    const fix = `the service usually knows ${BUREAUS.join(', ')}`
    return [bad('agencies', `bureaus ${names} are unusual`, fix, { code: 'unusual-bureaus' })]
  }
  const fix = `take \`bureaus\` from ${known.join(', ')}`
  return [
    bad('agencies', `the service knows no bureau ${names}`, fix, { code: 'unusual-bureaus', stops: 'misconfigured' }),
  ]
}

function judgeSimulated(simulated: readonly string[]): Diagnosis {
  const isTextless = simulated.includes('sms')
  const message = isTextless
    ? 'texts are simulated at this service: no code reaches a phone, and the mount is live'
    : 'agencies are simulated at this service: every report is invented, and the mount is live'
  const fix = `set \`test: true\`, or let the operator connect ${isTextless ? 'an SMS gateway' : 'the agencies'}`
  return bad('providers', message, fix, { code: 'simulated-providers', ...(isTextless && { stops: 'misconfigured' }) })
}

/** `isMatched`: whether the service matches persons and numbers; null where it could not be asked. */
function checkExposed({ exposeReport: how, test }: Settings, isMatched: boolean | null): Diagnosis {
  if (how === 'matched' && isMatched === false && test === null) {
    return bad(
      'exposed-report',
      '`exposeReport` is "matched" and the service has no match provider: no one sees a whole report',
      'ask the operator for a match provider, or choose another `exposeReport`',
      { code: 'no-match-provider' },
    )
  }
  if (how !== undefined) return good('exposed-report', EXPOSED[how])
  if (isMatched === null) return good('exposed-report', 'depends on whether the service matches persons and numbers')
  return good('exposed-report', EXPOSED[isMatched ? 'matched' : 'full'])
}
