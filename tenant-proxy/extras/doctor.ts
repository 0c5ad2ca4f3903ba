// Optional. Looks at everything a mount depends on and says what to fix: `proxy.doctor()`, and `GET {mount}/doctor` with `testScenarios`.
import { BUREAUS } from '../../contract/credit-report.ts'
import type { DoctorCode, DoctorReport } from '../../contract/doctor.ts'
import { envelope } from '../../contract/envelope.ts'
import { read } from '../../contract/problems.ts'
import { Wallet } from '../../contract/wallet.ts'
import type { Extra } from '../check/extra.ts'
import { createAccessToken, TokenError } from '../client/access-token.ts'
import { json } from '../exchange.ts'
import type { Settings } from '../settings.ts'
import type { WidgetFiles } from '../widget-files.ts'
import type { Notices } from './notices.ts'

export type Diagnosis = {
  check:
    | 'configuration'
    | 'exposed-report'
    | 'service'
    | 'credentials'
    | 'tenant'
    | 'wallet'
    | 'clock'
    | 'fingerprint-script'
    | 'widget-files'
  ok: boolean
  /** What was found. */
  message: string
  /** What to do about it; absent when nothing needs doing. */
  fix?: string
  /** What is sent to the service; absent when nothing needs doing, and where the service cannot be reached. */
  code?: DoctorCode
}

const CHECK_TIMEOUT_MS = 5_000
const CLOCK_SKEW_MS_MAX = 30_000
const UNKNOWN_ID = 'doctor'
/** Public, and everywhere where the service is. */
const FINGERPRINT_PATH = '/v1/fingerprints/device'

/** A choice, and not a fault: said aloud so that it is made knowingly. */
const EXPOSED: Record<NonNullable<Settings['exposeReport']>, string> = {
  matched:
    'the browser gets the whole report where the mobile number is known for the person, and its figures otherwise',
  full: 'the browser gets the whole report: a code proves a phone, not a person, so a person who knows someone’s details and types their own number sees it; `exposeReport` can say less',
  summary: 'the browser gets the figures of a report, not the report',
  none: 'the browser gets nothing of a report',
}

export type Inspected = { settings: Settings; files: WidgetFiles; notices: Pick<Notices, 'found'> }

/** It names what is wrong with the lender's set-up: for developers only. */
export function createDoctor(inspected: Inspected): Extra {
  if (!inspected.settings.testScenarios) return {}
  return {
    routes: [{ path: '/doctor', methods: ['GET', 'HEAD'], answer: async () => json(await diagnose(inspected)) }],
  }
}

/**
 * Looks at everything a mount depends on, and tells the service the codes of what it found, for the lender's page. Costs nothing, sends no
 * text, changes nothing else. Never throws.
 */
export async function diagnose({ settings, files, notices }: Inspected): Promise<Diagnosis[]> {
  const [service, fingerprint] = await Promise.all([
    look(settings, settings.serviceUrl + FINGERPRINT_PATH),
    look(settings, settings.publicServiceUrl + FINGERPRINT_PATH),
  ])
  const { token = null, found } = service?.status === 200 ? await checkCredentials(settings) : withoutToken(settings)
  const diagnoses = [
    ...checkConfiguration(settings, notices),
    checkService(service, settings),
    ...found,
    ...(service ? [checkClock(service, settings)] : []),
    fingerprint?.status === 200
      ? good('fingerprint-script', `is served at ${settings.publicServiceUrl}`)
      : bad(
          'fingerprint-script',
          'cannot be fetched',
          'set `publicServiceUrl` to the address browsers reach the service at',
          'fingerprint-script',
        ),
    checkFiles(files),
  ]
  if (token !== null) await report(token, settings, diagnoses)
  return diagnoses
}

/** What is lost is sent the next time. */
async function report(token: string, { serviceUrl, tenantId, transport, test }: Settings, found: readonly Diagnosis[]) {
  const codes = new Set(found.flatMap(({ code }) => code ?? []))
  const body: DoctorReport = { test: test !== null, findings: [...codes] }
  await transport({
    method: 'POST',
    url: `${serviceUrl}/${encodeURIComponent(tenantId)}/v1/doctor`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
    timeoutMs: CHECK_TIMEOUT_MS,
  }).catch(() => null)
}

/** Functions for `service` and `credentials` are called at the first request, so a mistake in what they return does not stop the start. */
export function diagnoseMistake(error: unknown): Diagnosis {
  const message = error instanceof Error ? error.message : String(error)
  return bad('configuration', message, 'fix this option first: nothing else could be checked')
}

/** A line on stderr for everything that is wrong, whatever becomes of events: for the developer who has just started it. */
export async function sayDiagnosis(inspected: Inspected): Promise<void> {
  for (const { ok, check, message, fix } of await diagnose(inspected)) {
    if (!ok) process.emitWarning(`${check}: ${message}: ${fix}`, 'CreditReportProxyWarning')
  }
}

function checkConfiguration(settings: Settings, notices: Pick<Notices, 'found'>): Diagnosis[] {
  const found = notices.found().map(({ message, fix, code }) => bad('configuration', message, fix, code))
  return found.length > 0 ? found : [checkSettings(settings)]
}

function checkSettings({ test, isProduction, bureaus, secureCookies }: Settings): Diagnosis {
  if (isProduction && test)
    return bad(
      'configuration',
      'test mode in production',
      'remove `test`: every report is invented',
      'test-in-production',
    )
  if (isProduction && secureCookies !== true) {
    return bad(
      'configuration',
      'cookies may travel unencrypted',
      'remove `secureCookies: false`',
      'unencrypted-cookies',
    )
  }
  const unusual = bureaus.filter((bureau) => !BUREAUS.some((known) => known === bureau))
  if (unusual.length > 0) {
    return bad(
      'configuration',
      `bureaus ${unusual.join(', ')} are unusual`,
      `the service usually knows ${BUREAUS.join(', ')}`,
      'unusual-bureaus',
    )
  }
  return good('configuration', test ? 'is complete; test mode, nothing is charged' : 'is complete')
}

function checkService(service: Look | null, { serviceUrl }: Settings): Diagnosis {
  if (service === null) {
    const fix = 'check `service`, and that this machine may reach it'
    return bad('service', `does not answer at ${serviceUrl}`, fix)
  }
  if (service.status === 200) return good('service', `answers at ${serviceUrl}`)
  const isDown = service.status >= 500 || service.status === 429
  const fix = isDown ? 'the service is not up: ask its operator' : 'check `service`: this is not the service'
  return bad('service', `answers ${service.status} at ${serviceUrl}${FINGERPRINT_PATH}`, fix)
}

type Credentials = { token?: string; found: Diagnosis[] }

const withoutToken = (settings: Settings): Credentials => ({ found: [checkExposed(settings, null)] })

async function checkCredentials(settings: Settings): Promise<Credentials> {
  // A client of its own: a token that was cached before would hide a secret that has changed since.
  const { serviceUrl, credentials, transport, clock, tenantId } = settings
  const accessToken = createAccessToken({ serviceUrl, credentials, transport, clock, timeoutMs: CHECK_TIMEOUT_MS })
  try {
    const token = await accessToken.get()
    const found = [
      good('credentials', `are accepted for ${credentials.clientId}`),
      await checkTenant(token, settings),
      ...(await checkWallet(token, settings)),
    ]
    return { token, found }
  } catch (error) {
    if (!(error instanceof TokenError)) throw error
    const fix = error.isRefused
      ? 'check `credentials`: the client id or the secret is wrong, or was revoked'
      : 'the service is up but gives no tokens: check `service`, then ask its operator'
    const found = [
      bad('credentials', error.message, fix),
      checkExposed(settings, null),
      bad('tenant', `${tenantId} could not be checked`, 'fix the credentials first'),
    ]
    return { found }
  }
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
  if (response?.status === 403)
    return bad('tenant', `these credentials may not act for ${tenantId}`, 'check `tenantId`')
  return bad(
    'tenant',
    `${tenantId} could not be checked (HTTP ${response?.status ?? 'error'})`,
    'check `service` and try again',
  )
}

/** Said only where it is an obstacle: a client may have no right to read the wallet. */
async function checkWallet(
  token: string,
  { serviceUrl, tenantId, transport, test, exposeReport }: Settings,
): Promise<Diagnosis[]> {
  const response = await transport({
    method: 'GET',
    url: `${serviceUrl}/${encodeURIComponent(tenantId)}/v1/wallet`,
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
    timeoutMs: CHECK_TIMEOUT_MS,
  }).catch(() => null)
  const wallet = read(envelope(Wallet), response?.status === 200 ? response.body : null)
  if (!wallet.ok) return [checkExposed({ exposeReport, test }, null)]
  const { balanceCredits, reportPriceCredits, matchPriceCredits } = wallet.value.data
  const exposed = checkExposed({ exposeReport, test }, matchPriceCredits !== undefined)
  const words = `holds ${balanceCredits} credits, and a report costs ${reportPriceCredits}`
  // In test mode nothing is charged.
  if (balanceCredits >= reportPriceCredits || test) return [exposed, good('wallet', words)]
  return [exposed, bad('wallet', words, 'top the wallet up: until then every check is refused', 'empty-wallet')]
}

/** `isMatched`: whether the service matches persons and numbers; null where it could not be asked. */
function checkExposed(
  { exposeReport: how, test }: Pick<Settings, 'exposeReport' | 'test'>,
  isMatched: boolean | null,
): Diagnosis {
  if (how === 'matched' && isMatched === false && test === null) {
    return bad(
      'exposed-report',
      '`exposeReport` is "matched" and the service has no match provider: no one sees a whole report',
      'ask the operator for a match provider, or choose another `exposeReport`',
      'no-match-provider',
    )
  }
  if (how !== undefined) return good('exposed-report', EXPOSED[how])
  if (isMatched === null) return good('exposed-report', 'depends on whether the service matches persons and numbers')
  return good('exposed-report', EXPOSED[isMatched ? 'matched' : 'full'])
}

function checkClock({ date }: Look, { clock }: Settings): Diagnosis {
  const skewMs = date === null ? null : clock() - date
  if (skewMs === null) return good('clock', 'the service names no time to compare with')
  if (Math.abs(skewMs) <= CLOCK_SKEW_MS_MAX) return good('clock', 'agrees with the service')
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const words = `is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service`
  return bad('clock', words, 'synchronise this machine’s clock (NTP)', 'clock')
}

function checkFiles(files: WidgetFiles): Diagnosis {
  const fault = files.findFault()
  return fault
    ? bad('widget-files', fault.message, fault.fix, 'widget-files')
    : good('widget-files', 'are all there, as they were built')
}

type Look = { status: number; date: number | null }

async function look({ transport }: Settings, url: string): Promise<Look | null> {
  try {
    const { status, header } = await transport({
      method: 'GET',
      url,
      headers: {},
      timeoutMs: CHECK_TIMEOUT_MS,
    })
    const date = Date.parse(header('Date') ?? '')
    return { status, date: Number.isNaN(date) ? null : date }
  } catch {
    return null
  }
}

function good(check: Diagnosis['check'], message: string): Diagnosis {
  return { check, ok: true, message }
}

function bad(check: Diagnosis['check'], message: string, fix: string, code?: DoctorCode): Diagnosis {
  return { check, ok: false, message, fix, ...(code ? { code } : {}) }
}
