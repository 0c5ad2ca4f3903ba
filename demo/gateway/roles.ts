// What each provider answers when it behaves.
import * as z from 'zod/mini'
import { AddressEntry } from '../../contract/address.ts'
import { BUREAUS } from '../../contract/credit-report.ts'
import { simulateBureau } from '../../service/providers/synthetic.ts'
import type { Answer } from './faults.ts'

const person = { firstName: z.string(), lastName: z.string(), dateOfBirth: z.string() }
const Search = z.object({
  reference: z.string(),
  person: z.object({ ...person, title: z.optional(z.string()) }),
  addresses: z.array(AddressEntry),
})

/** A bureau with a file on everybody. */
export function answerSearch(bureau: string, body: unknown): Answer {
  const asked = Search.safeParse(body)
  if (!asked.success) return { status: 400, body: { code: 'bad-search' } }
  const { reference, person, addresses } = asked.data
  const { records, searches, monthsAtAddresses } = simulateBureau(
    bureau,
    { ...person, addresses, bureaus: [...BUREAUS] },
    'default',
  )
  return { status: 200, body: { reference, person, accounts: records, searches, monthsAtAddresses } }
}

const Assessment = z.object({ reference: z.string(), person: z.object({ lastName: z.string() }) })
const DECISIONS: { [lastName: string]: string } = { Allow: 'allow', Block: 'block' }

/** A risk service that goes by the last name, like the simulated one. */
export function answerAssessment(body: unknown): Answer {
  const asked = Assessment.safeParse(body)
  if (!asked.success) return { status: 400, body: { code: 'bad-question' } }
  const { reference, person } = asked.data
  return { status: 200, body: { reference, decision: DECISIONS[person.lastName] ?? 'challenge' } }
}

/** A text the gateway took, from either kind of caller. */
export type GatewayText = {
  provider: 'http' | 'twilio'
  /** The gateway's own id. */
  gatewayId: string
  messageId: string
  to: string
  from: string
  body: string
  validSeconds: number
  receiptUrl: string
}

const Message = z.object({
  messageId: z.string(),
  to: z.string(),
  from: z.string(),
  body: z.string(),
  validSeconds: z.int(),
  receiptUrl: z.string(),
})

/** Numbers that no gateway can reach. */
const REFUSED_NUMBER = /0000$/

export function readMessage(body: unknown, gatewayId: string): GatewayText | null {
  const asked = Message.safeParse(body)
  if (!asked.success || REFUSED_NUMBER.test(asked.data.to)) return null
  return { provider: 'http', gatewayId, ...asked.data }
}

export function readTwilioMessage(form: URLSearchParams, gatewayId: string): GatewayText | null {
  const field = (name: string) => form.get(name) ?? ''
  const receiptUrl = field('StatusCallback')
  if (field('To') === '' || REFUSED_NUMBER.test(field('To')) || !URL.canParse(receiptUrl)) return null
  return {
    provider: 'twilio',
    gatewayId,
    messageId: new URL(receiptUrl).searchParams.get('messageId') ?? '',
    to: field('To'),
    from: field('From') || field('MessagingServiceSid'),
    body: field('Body'),
    validSeconds: Number(field('ValidityPeriod')),
    receiptUrl,
  }
}
