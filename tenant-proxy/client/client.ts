// The service's calls for a lender's server, each typed by the contract's schemas.
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { Failed, type OtpSubmit, ResendResponse, type ResendSms, Retry, Verified } from '../../contract/challenge.ts'
import { ReceivedReport } from '../../contract/credit-report.ts'
import { envelope, meteredEnvelope } from '../../contract/envelope.ts'
import { AuthenticationRequired, Blocked, Complete, type GenerateRequest } from '../../contract/generate.ts'
import type { IGNORABLE_FIELDS } from '../../contract/idempotency.ts'
import { LinkResponse } from '../../contract/link.ts'
import { type OpenReport, OpenResponse } from '../../contract/open-report.ts'
import { ErasedResponse } from '../../contract/person-query.ts'
import { type ReportListQuery, ReportListResponse } from '../../contract/report-list.ts'
import {
  BlockedReport,
  ChallengedReport,
  CompletedReport,
  ExpiredReport,
  FailedReport,
  PendingReport,
} from '../../contract/report-state.ts'
import type { StepCounts } from '../../contract/stats.ts'
import type { WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { Wallet, WalletLines } from '../../contract/wallet.ts'
import type { Clock } from '../../kit/clock.ts'
import { createAccessToken } from './access-token.ts'
import { createCall, type ServiceAnswer } from './call.ts'
import { fetchTransport, nodeTransport, type Transport } from './transport.ts'

const TIMEOUT_MS = 20_000
/** Everything but generate is quick, and people wait for codes and texts no longer. */
const QUICK_TIMEOUT_MS = 10_000

export type ClientOptions = {
  /** The address of the service, for example `https://reports.example`. */
  service: string
  tenantId: string
  credentials: { clientId: string; clientSecret: string }
  /** Time limit of a generate request, in milliseconds; the others have at most ten seconds of it. @default 20000 */
  timeoutMs?: number
  /** Used instead of Node's own HTTP client. */
  fetch?: typeof fetch
  /** @default Date.now */
  clock?: Clock
}

/** The headers that are passed on: two names of the request, for every log. */
export type Trace = {
  'X-Request-Id'?: string
  traceparent?: string
  /** The version of the widget that a check began in. */
  [WIDGET_VERSION_HEADER]?: string
}

export type Traced = {
  /** The id of this request for the service's logs. */
  trace?: Trace
}

export type Repeatable = Traced & {
  /**
   * The same key and body get the first answer again. @default a new one for each call, so that the client's own retry
   * is safe
   */
  idempotencyKey?: string
}

export type GenerateOptions = Repeatable & {
  /** Fields that may differ from the first request under the same key. */
  mayDiffer?: readonly (typeof IGNORABLE_FIELDS)[number][]
  /** A secret that a repeat has to bring too, where others may know the key. */
  owner?: string | undefined
}

/** The answer as it came, and what its headers say. */
export type Answered<Envelope> = Envelope & Omit<ServiceAnswer<never>, 'value'>

/** Every method throws a `ServiceError` when there is no answer: its subclasses say why. */
export type Client = {
  generate(request: GenerateRequest, options?: GenerateOptions): Promise<Answered<GenerateAnswer>>
  /** Never sent twice: a wrong code would be two attempts. */
  submitCode(code: { creditReportId: string } & OtpSubmit, options?: Traced): Promise<Answered<CodeAnswer>>
  resend(challenge: { creditReportId: string } & ResendSms, options?: Repeatable): Promise<Answered<ResendResponse>>
  /** The state of a report, and the report itself while it is kept. */
  get(creditReportId: string, options?: Traced): Promise<Answered<StateAnswer>>
  /**
   * Compares a date of birth before a completed report is shown again. Never sent twice: a wrong date would be two
   * attempts.
   */
  open(report: { creditReportId: string } & OpenReport, options?: Traced): Promise<Answered<OpenResponse>>
  /** Newest first; pass `nextAfter` as `after` for the next page. */
  list(query?: Partial<ReportListQuery>): Promise<Answered<ReportListResponse>>
  /** Forgets everything about the consumer of a report, for good. Once more does nothing. */
  erase(creditReportId: string, options?: Traced): Promise<Answered<ErasedResponse>>
  /** Screens of the form that consumers saw, for the lender's funnel. */
  countSteps(counts: StepCounts): Promise<void>
  /** A link to a check, and how its newest check stands. */
  link(linkId: string, options?: Traced): Promise<Answered<LinkResponse>>
  wallet(): Promise<Wallet>
  /** Newest first; pass `nextAfter` as `after` for the next page. */
  walletLines(query?: { limit?: number; after?: string; creditReportId?: string }): Promise<WalletLines>
}

export function createClient(options: ClientOptions): Client {
  const { tenantId, credentials, timeoutMs = TIMEOUT_MS, fetch, clock = Date.now } = options
  const transport = fetch ? fetchTransport(fetch) : nodeTransport
  return createClientOver(transport, { serviceUrl: readUrl(options.service), tenantId, credentials, timeoutMs, clock })
}

export type ClientSettings = Required<Pick<ClientOptions, 'tenantId' | 'credentials' | 'timeoutMs' | 'clock'>> & {
  /** Without a slash at its end. */
  serviceUrl: string
}

/** The same over another line, with everything decided. */
export function createClientOver(transport: Transport, settings: ClientSettings): Client {
  const { serviceUrl, tenantId, timeoutMs } = settings
  const call = createCall({ transport, accessToken: createAccessToken({ ...settings, transport }) })
  const base = `${serviceUrl}/${encodeURIComponent(tenantId)}/v1`
  const reports = `${base}/credit-reports`
  const report = (creditReportId: string) => `${reports}/${encodeURIComponent(creditReportId)}`
  const quick = { timeoutMs: Math.min(timeoutMs, QUICK_TIMEOUT_MS) }
  const get = { method: 'GET', ...quick } as const
  const post = { method: 'POST', ...quick } as const

  return {
    async generate(body, { idempotencyKey = randomUUID(), mayDiffer, owner, trace } = {}) {
      const repeat = { idempotencyKey, mayDiffer, owner, trace }
      return open(await call({ method: 'POST', url: reports, body, ...repeat, timeoutMs, answer: GenerateAnswer }))
    },
    async submitCode({ creditReportId, challengeId, code }, { trace } = {}) {
      const url = `${report(creditReportId)}/otp-challenge`
      return open(await call({ ...post, url, body: { challengeId, code }, trace, answer: CodeAnswer }))
    },
    async resend({ creditReportId, challengeId }, { idempotencyKey = randomUUID(), trace } = {}) {
      const url = `${report(creditReportId)}/resend-sms`
      return open(await call({ ...post, url, body: { challengeId }, idempotencyKey, trace, answer: ResendResponse }))
    },
    async get(creditReportId, { trace } = {}) {
      return open(await call({ ...get, url: report(creditReportId), trace, answer: StateAnswer }))
    },
    async open({ creditReportId, dateOfBirth }, { trace } = {}) {
      const url = `${report(creditReportId)}/open`
      return open(await call({ ...post, url, body: { dateOfBirth }, trace, answer: OpenResponse }))
    },
    async list(query = {}) {
      return open(await call({ ...get, url: reports + search(query), answer: ReportListResponse }))
    },
    async erase(creditReportId, { trace } = {}) {
      return open(
        await call({ ...quick, method: 'DELETE', url: report(creditReportId), trace, answer: ErasedResponse }),
      )
    },
    async countSteps(body) {
      await call({ ...post, url: `${base}/steps`, body, answer: z.unknown() })
    },
    async link(linkId, { trace } = {}) {
      const url = `${base}/links/${encodeURIComponent(linkId)}`
      return open(await call({ ...get, url, trace, answer: LinkResponse }))
    },
    async wallet() {
      return (await call({ ...get, url: `${base}/wallet`, answer: envelope(Wallet) })).value.data
    },
    async walletLines(query = {}) {
      return (await call({ ...get, url: `${base}/wallet/lines${search(query)}`, answer: envelope(WalletLines) })).value
        .data
    },
  }
}

function open<Envelope extends object>({ value, ...about }: ServiceAnswer<Envelope>): Answered<Envelope> {
  return { ...value, ...about }
}

function search(query: { [name: string]: string | number | boolean | undefined }): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

function readUrl(service: string): string {
  const url = URL.canParse(service) ? new URL(service) : null
  if (url === null || !/^https?:$/.test(url.protocol)) throw new TypeError('`service` must be an http or https address')
  return service.replace(/(?<!\/)\/+$/, '')
}

// Reports are taken as they come: one that was paid for is passed on whatever a bureau left out of it.
const anyReport = { creditReport: ReceivedReport }
const mode = { test: z.boolean() }

// `failed` is no first answer by the letter, but the status of any error that a retry cannot fix.
export const GenerateAnswer = meteredEnvelope(
  z.discriminatedUnion('status', [
    z.extend(Complete, { ...anyReport, ...mode }),
    z.extend(AuthenticationRequired, mode),
    z.extend(Blocked, mode),
    z.extend(Failed, mode),
  ]),
)
export type GenerateAnswer = z.infer<typeof GenerateAnswer>

export const CodeAnswer = meteredEnvelope(
  z.discriminatedUnion('status', [
    z.extend(Verified, { ...anyReport, ...mode }),
    z.extend(Retry, mode),
    z.extend(Failed, mode),
  ]),
)
export type CodeAnswer = z.infer<typeof CodeAnswer>

/** The state of a report; read by `status`. */
export const StateAnswer = envelope(
  z.discriminatedUnion('status', [
    PendingReport,
    ChallengedReport,
    z.extend(CompletedReport, { creditReport: z.optional(ReceivedReport) }),
    BlockedReport,
    FailedReport,
    ExpiredReport,
  ]),
)
export type StateAnswer = z.infer<typeof StateAnswer>
