// The parts of a check; handlers get all of them.
import * as z from 'zod/mini'
import { ConsumerDetails } from '../../contract/consumer-details.ts'
import type { ReceivedReport } from '../../contract/credit-report.ts'
import { generateRequest } from '../../contract/generate.ts'
import { type BoundedMap, createBoundedMap } from '../../kit/bounded-map.ts'
import { createCounter, takeForAddress } from '../../kit/limits.ts'
import { isLoopbackAddress } from '../../kit/network.ts'
import { createServiceClient, type ServiceClient } from '../client/service-client.ts'
import { createDelivery, type Delivery } from '../delivery.ts'
import type { Emit } from '../events.ts'
import type { ConsentRecord, Limits, Outcome, ReportContext } from '../options.ts'
import type { Settings } from '../settings.ts'
import { type Extra, notice } from './extra.ts'
import { createSameCheck, type SameCheck } from './same-check.ts'
import { createSeal, type Seal } from './seal.ts'
import type { End } from './ticket.ts'
import { createTicketCookie, type TicketCookie } from './ticket-cookie.ts'

export type Parts = {
  settings: Settings
  details: ReturnType<typeof pastDetails>
  service: ServiceClient
  cookie: TicketCookie
  seal: Seal
  sameCheck: SameCheck
  /** The fields added to a request under an idempotency key, so that its repeat is the same request. */
  added: BoundedMap<AddedFields>
  generateLimit: AddressLimit
  writeLimit: AddressLimit
  /**
   * Of questions that the service has to answer. Per check: who shares an address with others comes back to a check of
   * their own.
   */
  readLimit: CheckLimit
  /** Checks that this process has seen end: an older cookie played back opens none of them again. */
  ends: BoundedMap<End>
  /** Checks that were closed or forgotten in this process: no older copy of the cookie shows them again. */
  closed: BoundedMap<'closed' | 'forgotten'>
  /** The number of codes that this process has passed on for a check. */
  submits: BoundedMap<number>
  reports: Delivery<Completed>
  outcomes: Delivery<Outcome>
  consents: Delivery<ConsentRecord>
  emit: Emit
  extras: readonly Extra[]
}

/** The fields that the proxy adds to a generate request and cannot work out again later. */
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

/** `createExtras` makes what stands beside the check, from the parts of the check. */
export function createParts(settings: Settings, emit: Emit, createExtras: (parts: Parts) => readonly Extra[]): Parts {
  const { serviceUrl, tenantId, credentials, timeoutMs, clock, transport, cookieSecrets } = settings
  const { onReport, onOutcome, consentRecord } = settings
  const extras: Extra[] = []
  const seal = createSeal(cookieSecrets)
  const parts: Parts = {
    settings,
    emit,
    extras,
    details: pastDetails(clock),
    service: createServiceClient({ serviceUrl, tenantId, credentials, timeoutMs, clock, transport, emit }),
    seal,
    sameCheck: createSameCheck(cookieSecrets),
    cookie: createTicketCookie({
      seal,
      tenantId,
      clock,
      onForeign: (foreign, place) => notice({ extras }, { what: 'foreign', foreign, place }),
    }),
    added: createBoundedMap<AddedFields>(REMEMBERED_MAX),
    generateLimit: createLimit('generatesMax', settings),
    writeLimit: createLimit('writesMax', settings),
    readLimit: createReadLimit(settings),
    ends: createBoundedMap<End>(REMEMBERED_MAX),
    closed: createBoundedMap<'closed' | 'forgotten'>(REMEMBERED_MAX),
    submits: createBoundedMap<number>(REMEMBERED_MAX),
    reports: createDelivery<Completed>({
      hook: 'onReport',
      deliver: onReport && (({ report, context }) => onReport(report, context)),
      emit,
    }),
    outcomes: createDelivery<Outcome>({ hook: 'onOutcome', deliver: onOutcome, emit }),
    consents: createDelivery<ConsentRecord>({
      hook: 'consentRecord',
      deliver: consentRecord,
      emit,
    }),
  }
  extras.push(...createExtras(parts))
  return parts
}

/** Uses per address and window. */
export function createLimit(
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

/**
 * The contract's details, with a date of birth that is past by this clock: a typing mistake never reaches the service.
 */
function pastDetails(nowMs: () => number) {
  return z.extend(ConsumerDetails, { dateOfBirth: generateRequest({ nowMs }).shape.dateOfBirth })
}
