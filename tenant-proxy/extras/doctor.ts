// Optional. Looks at everything a mount depends on and says what to fix: `proxy.doctor()`, and `GET {mount}/doctor`
// with `testScenarios`.
import type { DoctorReport } from '../../contract/doctor.ts'
import type { Extra } from '../check/extra.ts'
import { WARNING } from '../events.ts'
import { json } from '../exchange.ts'
import type { Settings } from '../settings.ts'
import type { WidgetFiles } from '../widget-files.ts'
import { CHECK_TIMEOUT_MS, createAccountToken, examineAccount, unreachable, withoutAccount } from './account.ts'
import { bad, type Diagnosis, good, writeDiagnosis } from './diagnosis.ts'
import { examineMount } from './mount-doctor.ts'
import type { Notices } from './notices.ts'

const CLOCK_SKEW_MS_MAX = 30_000
/** Public, and everywhere where the service is. */
const FINGERPRINT_PATH = '/v1/fingerprints/device'

export type Inspected = { settings: Settings; files: WidgetFiles; notices: Pick<Notices, 'found'> }

/** It names what is wrong with the lender's set-up: for developers only. */
export function createDoctor(inspected: Inspected): Extra {
  if (!inspected.settings.testScenarios) return {}
  return {
    routes: [{ path: '/doctor', methods: ['GET', 'HEAD'], answer: async () => json(await diagnose(inspected)) }],
  }
}

/**
 * Looks at everything a mount depends on, and tells the service the codes of what it found, for the lender's page.
 * Costs nothing, sends no text, changes nothing else. Never throws.
 */
export async function diagnose({ settings, files, notices }: Inspected, url?: string): Promise<Diagnosis[]> {
  const [service, fingerprint] = await Promise.all([
    look(settings, settings.serviceUrl + FINGERPRINT_PATH),
    look(settings, settings.publicServiceUrl + FINGERPRINT_PATH),
  ])
  // A token of its own: one that was cached before would hide a secret that has changed since.
  const { token, found } =
    service?.status === 200
      ? await examineAccount(createAccountToken(settings), settings)
      : { token: null, found: withoutAccount(settings) }
  const diagnoses = [
    ...checkConfiguration(settings, notices),
    checkService(service, settings),
    ...found,
    ...(service ? [checkClock(service, settings)] : []),
    ...checkFingerprint(fingerprint, service, settings),
    checkFiles(files),
    ...(url === undefined ? [] : [await examineMount(url)]),
  ]
  if (token !== null) await report(token, settings, diagnoses)
  return diagnoses
}

/** A lost report is sent the next time. */
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

/**
 * Functions for `service` and `credentials` are called at the first request, so a mistake in what they return does not
 * stop the start.
 */
export function diagnoseMistake(error: unknown): Diagnosis {
  const message = error instanceof Error ? error.message : String(error)
  return bad('configuration', message, 'fix this option first: nothing else could be checked')
}

/**
 * A line on stderr for everything that is wrong, whatever becomes of events: for the developer who has just started it.
 */
export async function sayDiagnosis(inspected: Inspected): Promise<Diagnosis[]> {
  const found = await diagnose(inspected)
  for (const each of found) if (!each.ok) process.emitWarning(writeDiagnosis(each), WARNING)
  return found
}

function checkConfiguration(settings: Settings, notices: Pick<Notices, 'found'>): Diagnosis[] {
  const found = notices.found().map(({ message, fix, code }) => bad('configuration', message, fix, { code }))
  return found.length > 0 ? found : [checkSettings(settings)]
}

function checkSettings({ test, isProduction, secureCookies }: Settings): Diagnosis {
  if (isProduction && test)
    return bad('configuration', 'test mode in production', 'remove `test`: every report is invented', {
      code: 'test-in-production',
    })
  if (isProduction && secureCookies !== true) {
    return bad('configuration', 'cookies may travel unencrypted', 'remove `secureCookies: false`', {
      code: 'unencrypted-cookies',
    })
  }
  return good('configuration', test ? 'is complete; test mode, nothing is charged' : 'is complete')
}

function checkService(service: Look | null, { serviceUrl }: Settings): Diagnosis {
  if (service === null) return unreachable(serviceUrl)
  if (service.status === 200) return good('service', `answers at ${serviceUrl}`)
  const isDown = service.status >= 500 || service.status === 429
  const fix = isDown ? 'the service is not up: ask its operator' : 'check `service`: this is not the service'
  const stops = isDown ? 'unavailable' : 'misconfigured'
  return bad('service', `answers ${service.status} at ${serviceUrl}${FINGERPRINT_PATH}`, fix, { stops })
}

/** At the service's own address nothing more is known than the line on the service says. */
function checkFingerprint(seen: Look | null, service: Look | null, settings: Settings): Diagnosis[] {
  const { publicServiceUrl, serviceUrl } = settings
  if (seen?.status === 200) return [good('fingerprint-script', `is served at ${publicServiceUrl}`)]
  if (publicServiceUrl === serviceUrl && service?.status !== 200) return []
  const fix = 'set `publicServiceUrl` to the address browsers reach the service at'
  return [bad('fingerprint-script', 'cannot be fetched', fix, { code: 'fingerprint-script' })]
}

function checkClock({ date }: Look, { clock }: Settings): Diagnosis {
  const skewMs = date === null ? null : clock() - date
  if (skewMs === null) return good('clock', 'the service names no time to compare with')
  if (Math.abs(skewMs) <= CLOCK_SKEW_MS_MAX) return good('clock', 'agrees with the service')
  const seconds = Math.round(Math.abs(skewMs) / 1_000)
  const words = `is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service`
  return bad('clock', words, 'synchronise this machine’s clock (NTP)', { code: 'clock' })
}

function checkFiles(files: WidgetFiles): Diagnosis {
  const fault = files.findFault()
  return fault
    ? bad('widget-files', fault.message, fault.fix, { code: 'widget-files' })
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
