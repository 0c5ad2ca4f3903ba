// What the proxy is made of; handlers get all of it.
import * as z from 'zod/mini'
import { ConsumerDetails } from '../../contract/consumer-details.ts'
import type { ReceivedReport } from '../../contract/credit-report.ts'
import { generateRequest } from '../../contract/generate.ts'
import { type BoundedMap, createBoundedMap } from '../../kit/bounded-map.ts'
import { createCounter, takeForAddress } from '../../kit/limits.ts'
import { isLoopbackAddress } from '../../kit/network.ts'
import { createServiceClient, type ServiceClient } from '../client/service-client.ts'
import type { Emit } from '../events.ts'
import { createLookups, type Lookups } from '../extras/lookups.ts'
import { createNotices, type Notices } from '../extras/notices.ts'
import { createReadiness, type Readiness } from '../extras/readiness.ts'
import { createSteps, type Steps } from '../extras/steps.ts'
import type { ConsentRecord, Limits, Outcome, ReportContext } from '../options.ts'
import { findPackagedFiles } from '../packaged-files.ts'
import type { Settings } from '../settings.ts'
import { createWidgetFiles, type WidgetFiles } from '../widget-files.ts'
import { createDelivery, type Delivery } from './delivery.ts'
import { Refusal } from './refusal.ts'
import { createSameCheck, type SameCheck } from './same-check.ts'
import type { End } from './ticket.ts'
import { createSeal, createTicketCookie, type Seal, type TicketCookie } from './ticket-cookie.ts'

export type Parts = {
  settings: Settings
  details: ReturnType<typeof pastDetails>
  files: WidgetFiles
  service: ServiceClient
  readiness: Readiness
  cookie: TicketCookie
  seal: Seal
  sameCheck: SameCheck
  /** What was added to a request under an idempotency key, so that its repeat is the same request. */
  added: BoundedMap<AddedFields>
  notices: Notices
  generateLimit: AddressLimit
  writeLimit: AddressLimit
  /** Of questions that the service has to answer. Per check: who shares an address with others comes back to a check of their own. */
  readLimit: CheckLimit
  lookupLimit: AddressLimit
  /** Apart from `writeLimit`: screens must not use up what the check needs. */
  stepLimit: AddressLimit
  draftLimit: AddressLimit
  steps: Steps
  lookups: Lookups
  /** Checks that this process has seen end: an older cookie played back opens none of them again. */
  ends: BoundedMap<End>
  /** Checks that were closed in this process: no older copy of the cookie shows them again. */
  closed: BoundedMap<true>
  /** How many codes this process has passed on for a check. */
  submits: BoundedMap<number>
  reports: Delivery<Completed>
  outcomes: Delivery<Outcome>
  consents: Delivery<ConsentRecord>
  emit: Emit
}

/** What the proxy adds to a generate request and cannot work out again later. */
export type AddedFields = { ipAddress: string; externalReference?: string }

type Completed = { report: ReceivedReport; context: ReportContext }

/** Counts one use of an address. 0, or the seconds until the next is free. */
export type AddressLimit = (ipAddress: string) => number

/** Counts one use of a check. 0, or the seconds until the next is free. */
type CheckLimit = (creditReportId: string, address: string | null) => number

/** Of what one home may do, an IPv6 /56 may do 4 times and a /48 16 times as much: room for the neighbours in them. */
const WIDER_TIMES = [1, 4, 16]
/** Networks counted at once by each limit. */
const NETWORKS_MAX = 30_000

/** Requests and checks of which something is remembered. */
const REMEMBERED_MAX = 10_000

export function createParts(settings: Settings, emit: Emit): Parts {
  const { serviceUrl, tenantId, credentials, timeoutMs, clock, transport, cookieSecrets } = settings
  const { onReport, onOutcome, consentRecord, trustedHops, path } = settings
  const notices = createNotices({ trustedHops, path, origins: settings.origins, emit })
  const files = createWidgetFiles({
    current: settings.widgetFiles ?? findPackagedFiles(),
    previous: settings.previousFiles ?? null,
  })
  if (settings.isProduction && settings.test) {
    emit({ type: 'misconfigured', problem: 'test mode in production: every report is invented: remove `test`' })
  }
  // A copy of the lender's own may be half of one: then every consumer fails where the missing file is needed.
  const fault = settings.widgetFiles === undefined ? null : files.findFault()
  if (fault) emit({ type: 'misconfigured', problem: `\`widgetFiles\`: ${fault.message}: ${fault.fix}` })
  const seal = createSeal(cookieSecrets)
  const service = createServiceClient({ serviceUrl, tenantId, credentials, timeoutMs, clock, transport, emit })
  return {
    settings,
    emit,
    files,
    details: pastDetails(clock),
    service,
    seal,
    sameCheck: createSameCheck(cookieSecrets),
    readiness: createReadiness({ askWallet: service.wallet, clock }),
    cookie: createTicketCookie({ seal, tenantId, clock, onForeign: notices.seeForeign }),
    added: createBoundedMap<AddedFields>(REMEMBERED_MAX),
    notices,
    generateLimit: createLimit('generatesMax', settings),
    writeLimit: createLimit('writesMax', settings),
    readLimit: createReadLimit(settings),
    lookupLimit: createLimit('lookupsMax', settings),
    stepLimit: createLimit('writesMax', settings),
    draftLimit: createLimit('writesMax', settings),
    steps: createSteps(service.countSteps),
    lookups: createLookups({
      perHourMax: settings.limits.lookupsPerHourMax,
      clock,
      onCap(retryAfterSeconds) {
        notices.seeLookupCap(settings.limits.lookupsPerHourMax)
        emit({ type: 'refused', operation: 'addresses', code: 'rate-limited' })
        return new Refusal('rate-limited', { retryAfterSeconds })
      },
    }),
    ends: createBoundedMap<End>(REMEMBERED_MAX),
    closed: createBoundedMap<true>(REMEMBERED_MAX),
    submits: createBoundedMap<number>(REMEMBERED_MAX),
    reports: createDelivery<Completed>({
      hook: 'onReport',
      deliver: ({ report, context }) => onReport?.(report, context),
      emit,
    }),
    outcomes: createDelivery<Outcome>({ hook: 'onOutcome', deliver: (outcome) => onOutcome?.(outcome), emit }),
    consents: createDelivery<ConsentRecord>({
      hook: 'consentRecord',
      deliver: (record) => consentRecord?.(record),
      emit,
    }),
  }
}

function createLimit(
  name: 'generatesMax' | 'writesMax' | 'lookupsMax',
  { limits, loopbackLimits, clock }: Settings,
): AddressLimit {
  const create = (rule: Limits): AddressLimit => {
    const counter = createCounter({ windowMs: rule.windowSeconds * 1_000, clock, keysMax: NETWORKS_MAX })
    const usesMax = WIDER_TIMES.map((times) => times * rule[name])
    return (address) => takeForAddress(counter, address, usesMax)
  }
  const [usual, loopback] = [create(limits), create(loopbackLimits)]
  return (address) => (isLoopbackAddress(address) ? loopback : usual)(address)
}

function createReadLimit({ limits, loopbackLimits, clock }: Settings): CheckLimit {
  const counter = createCounter({ windowMs: limits.windowSeconds * 1_000, clock, keysMax: REMEMBERED_MAX })
  return (creditReportId, address) => {
    const { writesMax } = address !== null && isLoopbackAddress(address) ? loopbackLimits : limits
    return counter.take(creditReportId, writesMax)
  }
}

/** The contract's details, with a date of birth that is past by this clock: a typing mistake never reaches the service. */
function pastDetails(nowMs: () => number) {
  return z.extend(ConsumerDetails, { dateOfBirth: generateRequest({ nowMs }).shape.dateOfBirth })
}
