// `tenant-proxy.openapi.json`: what the widget says to a mount and gets back, for those who write a proxy of their own.
import * as z from 'zod/mini'
import { OtpSubmit, ResendSms } from '../contract/challenge.ts'
import { ConsumerDetails } from '../contract/consumer-details.ts'
import { ErrorBody } from '../contract/envelope.ts'
import { PROXY_ERROR_STATUS, type ProxyErrorCode } from '../contract/error.ts'
import { IDEMPOTENCY_KEY_HEADER } from '../contract/idempotency.ts'
import { OpenReport } from '../contract/open-report.ts'
import {
  CURRENT_REPORT_PARAMETER,
  FORGET_PARAMETER,
  NONCE_PARAMETER,
  PROXY_PATH,
  START_HEADER,
  TAB_HEADER,
} from '../contract/proxy-path.ts'
import { StepSeen } from '../contract/stats.ts'
import { Draft, ProxyAddresses, ProxyReport, ProxyResend } from '../contract/tenant-proxy.ts'
import { WIDGET_VERSION_HEADER } from '../contract/versions.ts'
import type { JsonObject } from './component.ts'

const REQUESTS = { ConsumerDetails, OtpSubmit, ResendSms, OpenReport, StepSeen, Draft }
const ANSWERS = { ProxyReport, ProxyResend, ProxyAddresses, ErrorBody }

type ProxyOperation = {
  summary: string
  request?: keyof typeof REQUESTS
  /** Absent: nothing, with 204. */
  answer?: keyof typeof ANSWERS
  parameters?: JsonObject[]
  refusals: ProxyErrorCode[]
}

const KEY = parameter(
  'header',
  IDEMPOTENCY_KEY_HEADER,
  'Names one press of a button: repeated under it, nothing is charged or texted twice.',
)
const VERSION = parameter(
  'header',
  WIDGET_VERSION_HEADER,
  'The version of the widget that asks. A mount that cannot serve it refuses with `misconfigured`.',
)
const REPORT_ID = { ...parameter('path', 'creditReportId', 'Of the check that this browser began.'), required: true }
const REPORT = parameter('query', CURRENT_REPORT_PARAMETER, 'Asks about this check rather than the latest one.')
const NONCE = parameter(
  'query',
  NONCE_PARAMETER,
  'Comes back as `meta.nonce`, so that a page recognises an answer from a cache: up to 64 letters, digits, `-` and `_`.',
)
const TAB = parameter(
  'header',
  TAB_HEADER,
  'A random value that the tab keeps to itself: the report is shown to the tab that completed the check.',
)
const START = parameter(
  'header',
  START_HEADER,
  'A start made by the lender’s server with `begin()`: a known applicant, for one check.',
)
const FORGET = parameter('query', FORGET_PARAMETER, 'Another check begins: `GET` then says `none`.')
const POSTCODE = { ...parameter('query', 'postcode', 'A whole UK postcode.'), required: true }
const ALWAYS: ProxyErrorCode[] = ['rate-limited', 'internal-error', 'unavailable', 'misconfigured']
const WRITE: ProxyErrorCode[] = [
  'validation-error',
  'forbidden',
  'payload-too-large',
  'unsupported-media-type',
  ...ALWAYS,
]
const CHALLENGE: ProxyErrorCode[] = [
  'credit-report-not-found',
  'challenge-not-found',
  'challenge-expired',
  'request-in-progress',
]

/** By path below the mount and method. */
export const PROXY_OPERATIONS: { [path: string]: { [method: string]: ProxyOperation } } = {
  '/': {
    post: {
      summary: 'Begins a check.',
      request: 'ConsumerDetails',
      answer: 'ProxyReport',
      parameters: [KEY, VERSION, TAB, START],
      refusals: [
        'insufficient-funds',
        'spend-cap-reached',
        'cookies-required',
        'start-refused',
        'request-in-progress',
        ...WRITE,
      ],
    },
  },
  '/{creditReportId}/otp-challenge': {
    post: {
      summary: 'Gives a code.',
      request: 'OtpSubmit',
      answer: 'ProxyReport',
      parameters: [REPORT_ID],
      refusals: [...CHALLENGE, ...WRITE],
    },
  },
  '/{creditReportId}/resend-sms': {
    post: {
      summary: 'Asks for another text.',
      request: 'ResendSms',
      answer: 'ProxyResend',
      parameters: [REPORT_ID, KEY],
      refusals: ['insufficient-funds', 'spend-cap-reached', ...CHALLENGE, ...WRITE],
    },
  },
  '/current': {
    get: {
      summary:
        'The status of this browser’s check; `none` when there is none. The first answer sets a cookie without which no check is begun.',
      answer: 'ProxyReport',
      parameters: [REPORT, NONCE, VERSION, TAB, START],
      refusals: ['start-refused', ...ALWAYS],
    },
    delete: {
      summary:
        'Closes this browser’s report for good. That the check was completed is still said, unless another begins.',
      answer: 'ProxyReport',
      parameters: [FORGET],
      refusals: ['forbidden', ...ALWAYS],
    },
  },
  '/current/open': {
    post: {
      summary:
        'The report again, for who knows the date of birth: in another tab than the one that completed the check.',
      request: 'OpenReport',
      answer: 'ProxyReport',
      parameters: [TAB],
      refusals: WRITE,
    },
  },
  '/steps': {
    post: {
      summary: 'Counts a screen of the form for the lender: its name and some seconds, no person and no cookie.',
      request: 'StepSeen',
      refusals: WRITE,
    },
  },
  '/draft': {
    post: {
      summary:
        'Keeps what was typed so far for a reload of this tab: sealed into a cookie, and handed back by `/current` as `meta.draft`.',
      request: 'Draft',
      parameters: [
        { ...TAB, description: 'A random value that the tab keeps to itself: only it gets the draft back.' },
      ],
      refusals: WRITE,
    },
    delete: { summary: 'Drops it: the consumer starts again.', refusals: ['forbidden', ...ALWAYS] },
  },
  '/addresses': {
    get: {
      summary: 'The addresses of a postcode, where `meta.findsAddresses` says that they can be found.',
      answer: 'ProxyAddresses',
      parameters: [POSTCODE],
      refusals: ['validation-error', 'not-found', ...ALWAYS],
    },
  },
}

export function proxyDocument(): JsonObject {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tenant proxy',
      version: '1.0.0',
      description:
        'The calls of the widget to the mount on the lender’s own origin. A cookie that the mount seals ties a check to its browser; success is `{meta, data}`, every refusal `{code, message}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: PROXY_PATH, description: 'The mount, on the origin of the page.' }],
    security: [],
    paths: Object.fromEntries(
      Object.entries(PROXY_OPERATIONS).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, describe(path, method, operation)]),
        ),
      ]),
    ),
    components: { schemas: { ...toSchemas(REQUESTS, 'input'), ...toSchemas(ANSWERS, 'output') } },
  }
}

function describe(
  path: string,
  method: string,
  { summary, request, answer, parameters = [], refusals }: ProxyOperation,
): JsonObject {
  const statuses = [...new Set(refusals.map((code) => PROXY_ERROR_STATUS[code]))].toSorted((a, b) => a - b)
  const codesOf = (status: number) => refusals.filter((code) => PROXY_ERROR_STATUS[code] === status)
  return {
    operationId: [method, ...path.split(/\W+/)].filter(Boolean).join('-'),
    summary,
    parameters,
    ...(request ? { requestBody: { required: true, content: contentOf(request) } } : {}),
    responses: {
      ...(answer
        ? { 200: { description: 'As asked.', content: contentOf(answer) } }
        : { 204: { description: 'Accepted.' } }),
      ...Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: codesOf(status).join(', '), content: contentOf('ErrorBody') },
        ]),
      ),
    },
  }
}

function contentOf(name: string): JsonObject {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
}

function parameter(place: string, name: string, description: string): JsonObject {
  return { in: place, name, description, schema: { type: 'string' } }
}

function toSchemas(named: { [name: string]: z.ZodMiniType }, io: 'input' | 'output'): { [name: string]: JsonObject } {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => {
      const { $schema: _, ...own } = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' })))
      return [name, own]
    }),
  )
}
