// The words for each ending of a check: one table for lists, figures, timelines, files and the reference.
import { ATTEMPTS_MAX } from './limits.ts'
import { type EndedStatus, type Ending, REASONS, type ReportReason, statusOfEnding } from './report-list.ts'

type EndingWords = {
  /** Shown beside the status, in lists and figures. */
  short: string
  /** For the lender’s staff, behind the status. */
  says: string
  /** To be read out to the consumer. */
  toConsumer: string
}

const AGAIN = 'You can start again.'
const NOT_SEARCHED = 'Your credit file was not searched.'
const OURS = 'A problem on our side stopped your check; it is nothing you did.'

export const ENDED_WORDS: { readonly [status in EndedStatus]: string } = {
  complete: 'Complete',
  blocked: 'Blocked',
  failed: 'Failed',
  expired: 'Expired',
}

export const ENDING_WORDS: { readonly [ending in Ending]: EndingWords } = {
  complete: {
    short: '',
    says: 'The report was completed.',
    toConsumer: 'Your credit check is complete, and we have your report.',
  },
  risk: {
    short: 'Risk assessment',
    says: 'Blocked by the risk assessment.',
    toConsumer: `We could not do this check online. This says nothing about your credit, and ${NOT_SEARCHED.toLowerCase()}`,
  },
  attempts: {
    short: 'Wrong code three times',
    says: `Failed: the code was wrong ${ATTEMPTS_MAX} times.`,
    toConsumer: `The code was typed wrong ${ATTEMPTS_MAX} times, so the check was stopped to protect you. ${NOT_SEARCHED} ${AGAIN}`,
  },
  device: {
    short: 'Device not verified',
    says: 'Failed: the device could not be verified.',
    toConsumer: `We could not verify the device you used, so the check was stopped to protect you. ${NOT_SEARCHED} ${AGAIN}`,
  },
  'mobile-number': {
    short: 'No mobile number',
    says: 'Failed: a code was needed, and the request had no mobile number.',
    toConsumer: `We need a mobile number to send you a code, and there was none. ${NOT_SEARCHED} ${AGAIN}`,
  },
  funds: {
    short: 'Not enough credits',
    says: 'Failed: the wallet had not enough credits for the text.',
    toConsumer: `${OURS} ${NOT_SEARCHED} Please try again later.`,
  },
  'spend-cap': {
    short: 'Spend cap reached',
    says: 'Failed: a spend cap was reached.',
    toConsumer: `${OURS} ${NOT_SEARCHED} Please try again later.`,
  },
  'text-limit': {
    short: 'Too many texts',
    says: 'Failed: this number or network was sent too many texts.',
    toConsumer: `Too many texts were sent to this number or from this network, so we sent no other. ${NOT_SEARCHED} Please try again tomorrow.`,
  },
  provider: {
    short: 'Provider did not answer',
    says: 'Failed: a provider did not answer.',
    toConsumer: `A service we depend on did not answer, so your check was stopped; it is nothing you did. ${AGAIN}`,
  },
  interrupted: {
    short: 'Service interrupted',
    says: 'Failed: the service was interrupted.',
    toConsumer: `A fault on our side stopped your check; it is nothing you did. ${AGAIN}`,
  },
  timeout: {
    short: 'No code in time',
    says: 'Expired: no right code came in time.',
    toConsumer: `The code was not entered in time, so the check has ended. ${NOT_SEARCHED} ${AGAIN}`,
  },
  agencies: {
    short: 'Agencies did not answer',
    says: 'Expired: the code was right, and the agencies did not answer in time.',
    toConsumer: `Your code was right, but the credit reference agencies did not answer in time. It is nothing you did. ${AGAIN}`,
  },
}

/** `attempts` → `Failed: wrong code three times`. */
export function nameOfEnding(ending: Ending): string {
  const status = ENDED_WORDS[statusOfEnding(ending)]
  const { short } = ENDING_WORDS[ending]
  return short === '' ? status : `${status}: ${short.charAt(0).toLowerCase()}${short.slice(1)}`
}

/** Of a field that says why, for the reference: each word of the status with its meaning. */
export function reasonSentence(status: keyof typeof REASONS): string {
  return `The reason: ${explain(REASONS[status])}.`
}

/** The same for every status. */
export const REASONS_SENTENCE = `The reason it was blocked, failed or expired: ${explain(Object.values(REASONS).flat())}.`

function explain(reasons: readonly ReportReason[]): string {
  return reasons.map((reason) => `\`${reason}\`, ${ENDING_WORDS[reason].short.toLowerCase()}`).join('; ')
}
