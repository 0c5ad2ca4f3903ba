// The client as the proxy uses it: what goes wrong becomes the `Refusal` that the browser reads, and an event for the lender.
import type { OtpSubmit, ResendResponse, ResendSms } from '../contract/challenge.ts'
import { consumerFields, type GenerateRequest } from '../contract/generate.ts'
import { IGNORABLE_FIELDS } from '../contract/idempotency.ts'
import type { Wallet } from '../contract/wallet.ts'
import type { CodeAnswer, GenerateAnswer, StateAnswer } from './client/answers.ts'
import { type Answered, type ClientSettings, createClientOver, type Trace } from './client/client.ts'
import { ServiceError } from './client/errors.ts'
import type { Transport } from './client/transport.ts'
import type { Emit } from './events.ts'
import { refusalFor } from './service-refusal.ts'

const CONSUMER_FIELDS = Object.keys(consumerFields)

/** Each throws a `Refusal`. */
export type ServiceClient = {
  generate(request: GenerateRequest, idempotencyKey: string, trace: Trace): Promise<Answered<GenerateAnswer>>
  submitCode(code: { creditReportId: string } & OtpSubmit, trace: Trace): Promise<Answered<CodeAnswer>>
  resend(
    challenge: { creditReportId: string } & ResendSms,
    idempotencyKey: string,
    trace: Trace,
  ): Promise<Answered<ResendResponse>>
  /** How a report stands. */
  get(creditReportId: string, operation: 'current' | 'webhook', trace: Trace): Promise<Answered<StateAnswer>>
  wallet(): Promise<Wallet>
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
    generate: (request, idempotencyKey, trace) =>
      refusing(
        { operation: 'generate', consumerFields: CONSUMER_FIELDS },
        // The key stands for the consumer's details already; where the phone was when it sent them may have changed since.
        client.generate(request, { idempotencyKey, mayDiffer: IGNORABLE_FIELDS, trace }),
      ),
    submitCode: (code, trace) => refusing({ operation: 'otp-challenge' }, client.submitCode(code, { trace })),
    resend: (challenge, idempotencyKey, trace) =>
      refusing({ operation: 'resend-sms' }, client.resend(challenge, { idempotencyKey, trace })),
    get: (creditReportId, operation, trace) => refusing({ operation }, client.get(creditReportId, { trace })),
    wallet: () => refusing({ operation: 'current' }, client.wallet()),
  }
}
