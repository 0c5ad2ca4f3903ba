// The client as the proxy uses it: what goes wrong becomes the `Refusal` that the browser reads, and an event for the
// lender.
import type { OtpSubmit, ResendResponse, ResendSms } from '../../contract/challenge.ts'
import type { ErrorCode, ProxyErrorCode } from '../../contract/error.ts'
import { consumerFields, type GenerateRequest } from '../../contract/generate.ts'
import { IDEMPOTENCY_KEY_HEADER, IGNORABLE_FIELDS } from '../../contract/idempotency.ts'
import type { HostedLink } from '../../contract/link.ts'
import type { OpenReport, OpenResponse } from '../../contract/open-report.ts'
import type { Problem } from '../../contract/problems.ts'
import type { ReportListResponse } from '../../contract/report-list.ts'
import type { StepCounts } from '../../contract/stats.ts'
import type { Wallet } from '../../contract/wallet.ts'
import { Refusal, refuseDetails } from '../check/refusal.ts'
import type { Emit, Operation } from '../events.ts'
import { TokenError } from './access-token.ts'
import {
  type Answered,
  type ClientSettings,
  type CodeAnswer,
  createClientOver,
  type GenerateAnswer,
  type StateAnswer,
  type Trace,
} from './client.ts'
import { CredentialsError, ServiceError, UnavailableError, ValidationError } from './errors.ts'
import type { Transport } from './transport.ts'

const CONSUMER_FIELDS = Object.keys(consumerFields)

/** One thing a consumer wants done. With an owner, only who brings the same gets the first answer again. */
type Press = { idempotencyKey: string; owner?: string }

/** Each throws a `Refusal`. */
export type ServiceClient = {
  generate(request: GenerateRequest, press: Press, trace: Trace): Promise<Answered<GenerateAnswer>>
  submitCode(code: { creditReportId: string } & OtpSubmit, trace: Trace): Promise<Answered<CodeAnswer>>
  resend(
    challenge: { creditReportId: string } & ResendSms,
    idempotencyKey: string,
    trace: Trace,
  ): Promise<Answered<ResendResponse>>
  /** The state of a report. */
  get(creditReportId: string, operation: 'current' | 'webhook' | 'decide', trace: Trace): Promise<Answered<StateAnswer>>
  /** The reports made for a reference, newest first. */
  list(query: { externalReference: string; limit: number }, operation: 'decide'): Promise<Answered<ReportListResponse>>
  /** Compares a date of birth with the one that a completed report is about. */
  open(report: { creditReportId: string } & OpenReport, trace: Trace): Promise<Answered<OpenResponse>>
  /** A link and its newest check; null where the service knows none of this id. */
  link(linkId: string): Promise<HostedLink | null>
  wallet(): Promise<Wallet>
  /** Rejects without an event: what is lost is a count. */
  countSteps(counts: StepCounts): Promise<void>
}

export function createServiceClient({
  transport,
  emit,
  ...settings
}: ClientSettings & { transport: Transport; emit: Emit }): ServiceClient {
  const client = createClientOver(transport, settings)

  async function refusing<Value>(about: Parameters<typeof refusalFor>[1], answer: Promise<Value>): Promise<Value> {
    try {
      return await answer
    } catch (error) {
      throw error instanceof ServiceError ? refusalFor(error, about, emit) : error
    }
  }

  return {
    generate: (request, press, trace) =>
      refusing(
        { operation: 'generate', consumerFields: CONSUMER_FIELDS },
        // The key stands for the consumer's details already; where the phone was when it sent them may have changed
        // since.
        client.generate(request, { ...press, mayDiffer: IGNORABLE_FIELDS, trace }),
      ),
    submitCode: (code, trace) => refusing({ operation: 'otp-challenge' }, client.submitCode(code, { trace })),
    resend: (challenge, idempotencyKey, trace) =>
      refusing({ operation: 'resend-sms' }, client.resend(challenge, { idempotencyKey, trace })),
    get: (creditReportId, operation, trace) => refusing({ operation }, client.get(creditReportId, { trace })),
    list: (query, operation) => refusing({ operation }, client.list(query)),
    open: (report, trace) => refusing({ operation: 'open' }, client.open(report, { trace })),
    async link(linkId) {
      try {
        return (await client.link(linkId)).data
      } catch (error) {
        if (error instanceof ServiceError && error.code === 'not-found') return null
        return refusing({ operation: 'decide' }, Promise.reject(error))
      }
    },
    wallet: () => refusing({ operation: 'current' }, client.wallet()),
    countSteps: client.countSteps,
  }
}

const IN_PROGRESS_WAIT_SECONDS = 1

type About = {
  operation: Operation
  /** Fields the browser is responsible for; problems with others are the lender's to fix. */
  consumerFields?: readonly string[]
}

/**
 * The browser's code for each code of the service. 401 and 403 are about the lender's credentials: to the consumer the
 * check is not available.
 */
const ANSWERS: Record<ErrorCode, ProxyErrorCode> = {
  'validation-error': 'misconfigured',
  unauthorized: 'misconfigured',
  'insufficient-funds': 'insufficient-funds',
  forbidden: 'misconfigured',
  'proof-required': 'misconfigured',
  'not-found': 'misconfigured',
  'credit-report-not-found': 'credit-report-not-found',
  'challenge-not-found': 'challenge-not-found',
  'method-not-allowed': 'unavailable',
  'request-in-progress': 'request-in-progress',
  'challenge-expired': 'challenge-expired',
  'payload-too-large': 'unavailable',
  'unsupported-media-type': 'unavailable',
  'rate-limited': 'rate-limited',
  'spend-cap-reached': 'spend-cap-reached',
  'internal-error': 'unavailable',
  unavailable: 'unavailable',
}

/** Faults that the lender has to fix. */
const PROBLEMS: { [code in ErrorCode]?: string } = {
  'validation-error': 'the service did not accept what the proxy adds: check `bureaus` and `externalReference`',
  unauthorized: 'the service does not accept its own access token: are the clocks right?',
  forbidden: 'these credentials may not act for this tenant: check `tenantId`',
  'not-found': 'the service does not know its own paths: check `service`',
}

/** The browser's answer when the service did not do its part; reports to the lender what only the lender can fix. */
function refusalFor(error: ServiceError, { operation, consumerFields = [] }: About, emit: Emit): Refusal {
  const { code, status, requestId, retryAfterSeconds: wait } = error
  const retryAfterSeconds = wait ?? (code === 'request-in-progress' ? IN_PROGRESS_WAIT_SECONDS : undefined)

  if (error instanceof ValidationError) {
    const problems = error.problems.filter((problem) => isAbout(problem, consumerFields))
    if (problems.length > 0) return refuseDetails(problems)
    // The same press of a button, but the lender asks for other bureaus by now. Nothing was charged for this try.
    if (error.isKeyReused) {
      const message = `${IDEMPOTENCY_KEY_HEADER}: begin again with a new key`
      return new Refusal('validation-error', { message, isKeyReused: true })
    }
  }
  if (error instanceof CredentialsError && error.isWithoutToken) {
    emit({ type: 'misconfigured', problem: 'the service refused `credentials`: check client id and secret' })
    return new Refusal('misconfigured')
  }
  if (isNotTheService(error)) {
    const problem = `what answers at \`service\` gives no access tokens (HTTP ${status}): check its address`
    emit({ type: 'misconfigured', problem })
    return new Refusal('misconfigured')
  }
  const answer = ANSWERS[code]
  const problem = PROBLEMS[code]
  if (problem !== undefined) emit({ type: 'misconfigured', problem, requestId })
  if (answer === 'insufficient-funds' || answer === 'spend-cap-reached') emit({ type: answer, operation, requestId })
  // Without Retry-After a 429 is about this challenge's texts, which is no fault of the service: no event.
  if (answer === 'unavailable' || (answer === 'rate-limited' && wait !== undefined)) {
    const reason = error instanceof UnavailableError ? error.reason : 'rate-limited'
    emit({ type: 'unavailable', operation, reason, status, requestId })
  }
  return new Refusal(answer, { requestId, retryAfterSeconds })
}

/**
 * A page, a redirect or a 404 where the service has its tokens; one that is down or busy says so with other statuses.
 */
function isNotTheService({ cause }: ServiceError): boolean {
  const { status } = cause instanceof TokenError ? cause : {}
  return status !== undefined && status < 500 && status !== 429
}

function isAbout({ path }: Problem, fields: readonly string[]): boolean {
  return fields.includes(/^\w*/.exec(path)?.[0] ?? '')
}
