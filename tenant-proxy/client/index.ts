// The door of the published package (`credit-report-widget/client`).
export type { CodeAnswer, GenerateAnswer, StateAnswer } from './client.ts'
export {
  type Answered,
  type Client,
  type ClientOptions,
  createClient,
  type GenerateOptions,
  type Repeatable,
  type Trace,
  type Traced,
} from './client.ts'
export {
  ChallengeExpiredError,
  CredentialsError,
  InProgressError,
  InsufficientFundsError,
  NotFoundError,
  RateLimitedError,
  ServiceError,
  SpendCapReachedError,
  UnavailableError,
  ValidationError,
} from './errors.ts'
export { type ReceivedWebhook, verifyWebhook, WebhookError } from './webhook.ts'
