import { TEST_MODE_CODE } from '../limits.ts'
import { sampleRequest } from '../samples.ts'
import type { Operation } from './operation.ts'
import { CHALLENGE_ID as challengeId, CREDIT_REPORT_ID as creditReportId, reportFrom } from './samples.ts'

const tag = 'Credit reports'
const access = { scope: 'credit-reports' } as const

const metered = (cost: number, data: object) => ({
  meta: { request: { timeTakenMs: 42 }, wallet: { balance: 999_500, cost } },
  data,
})

export function reportOperations(bureaus: readonly string[]): Operation[] {
  const creditReport = reportFrom(bureaus)
  return [
    {
      id: 'generateCreditReport',
      method: 'post',
      path: '/{tenantId}/v1/credit-reports',
      tag,
      summary: 'Generate a credit report',
      description:
        'Completes at once, is blocked, or asks for a one-time code. In test mode (`test: true`) nothing is charged, no text leaves, and the text before the @ of the e-mail picks the synthetic data: `test001` nothing on file, `test002` one hire purchase, `test003` three different accounts, `test004` two settled accounts, anything else four accounts.',
      access,
      idempotent: true,
      challenges: true,
      body: { schema: 'GenerateRequest', example: { ...sampleRequest, bureaus: bureaus.slice(0, 2) } },
      answers: {
        200: {
          says: 'The report, a challenge, or a block.',
          schema: 'GenerateResponse',
          examples: {
            complete: metered(500, { status: 'complete', challengeType: 'none', creditReportId, creditReport }),
            'authentication-required': metered(500, {
              status: 'authentication-required',
              challengeType: 'otp',
              creditReportId,
              challenge: { challengeId },
            }),
            blocked: metered(0, { status: 'blocked', creditReportId }),
          },
        },
      },
      errors: ['insufficient-funds', 'request-in-progress'],
    },
    {
      id: 'submitOtp',
      method: 'post',
      path: '/{tenantId}/v1/credit-reports/{creditReportId}/otp-challenge',
      tag,
      summary: 'Answer a challenge with the code from the text',
      description: `Three wrong codes end the challenge for good, however many texts were sent. In test mode the code is ${TEST_MODE_CODE}.`,
      access,
      challenges: true,
      body: { schema: 'OtpSubmit', example: { challengeId, code: TEST_MODE_CODE } },
      answers: {
        200: {
          says: 'The report, another attempt, or the end of the challenge.',
          schema: 'OtpResponse',
          examples: {
            complete: metered(0, { status: 'complete', creditReportId, creditReport }),
            retry: metered(0, {
              status: 'retry',
              creditReportId,
              errorMessage: 'That code does not match.',
              attemptsRemaining: 2,
            }),
            failed: metered(0, { status: 'failed', creditReportId, errorMessage: 'All attempts have been used.' }),
          },
        },
      },
      errors: ['credit-report-not-found', 'challenge-not-found', 'challenge-expired'],
    },
    {
      id: 'resendSms',
      method: 'post',
      path: '/{tenantId}/v1/credit-reports/{creditReportId}/resend-sms',
      tag,
      summary: 'Send the code again',
      description:
        'Starts the five minutes anew and leaves the attempts as they are. A challenge sends three texts at most.',
      access,
      idempotent: true,
      challenges: true,
      body: { schema: 'ResendSms', example: { challengeId } },
      answers: {
        200: {
          says: 'Another text is on its way.',
          schema: 'ResendResponse',
          examples: {
            sent: { meta: { request: { timeTakenMs: 17 } }, data: { remainingSmsCount: 1, smsSentCount: 2 } },
          },
        },
      },
      errors: [
        'insufficient-funds',
        'credit-report-not-found',
        'challenge-not-found',
        'request-in-progress',
        'challenge-expired',
      ],
    },
  ]
}
