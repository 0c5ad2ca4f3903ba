// The answers of each provider when it behaves.
import * as z from 'zod/mini'
import { AddressEntry } from '../../contract/address.ts'
import { BUREAUS } from '../../contract/credit-report.ts'
import type { SmsKind } from '../../plugins/live-providers/sms-gateways.ts'
import { simulateBureau } from '../../service/providers/simulated/synthetic.ts'
import type { Answer } from './faults.ts'

const person = { firstName: z.string(), lastName: z.string(), dateOfBirth: z.string() }
const Search = z.object({
  reference: z.string(),
  person: z.object({ ...person, title: z.optional(z.string()) }),
  addresses: z.array(AddressEntry),
})

/** A bureau with a file on every person. */
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

/** The behaviour of one SMS gateway. */
export type SmsRole = {
  /** Names it in calls and faults. */
  provider: string
  /** The path that texts are posted to; its first group is the account, if there is one. */
  path: RegExp
  /** The credential that a caller must present. */
  authorization(secret: string, account: string): string
  /** Null when it is no text. */
  readText(body: Buffer): Omit<GatewayText, 'kind' | 'gatewayId'> | null
  /** The status of a text that was just taken. */
  taken: string
  /** The request that reports what became of a text, signed. */
  writeReceipt(text: ReportedText, status: string, signer: ReceiptSigner): Request
}

/** A text the gateway took. */
export type GatewayText = {
  kind: SmsKind
  /** The gateway's own id. */
  gatewayId: string
  messageId: string
  to: string
  from: string
  body: string
  validSeconds: number
  receiptUrl: string
}

export type ReportedText = Pick<GatewayText, 'kind' | 'messageId' | 'gatewayId' | 'receiptUrl'>

export type ReceiptSigner = {
  /** The gateway's signing secret, whatever its name there. */
  secret: string
  nowMs: number
}

/** Null when it is no JSON. */
export function parseBody(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
