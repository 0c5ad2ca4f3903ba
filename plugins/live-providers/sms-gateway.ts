// The parts of an SMS gateway's folder: its settings, sending a text, and reading its receipts.
import * as z from 'zod/mini'
import { opaqueString } from '../../contract/bounded-string.ts'
import { read } from '../../contract/problems.ts'
import { TEXT_REFUSALS } from '../../contract/stats.ts'
import type { Log } from '../../service/log.ts'
import type { Refusal, SmsProvider } from '../../service/providers/providers.ts'

/** Time limit for a gateway to accept a text. */
export const SMS_TIMEOUT_MS = 3_000

/** Reads the settings of one gateway; throws `ConfigError` when one is missing. */
export type ReadSmsGateway = (settings: SmsSettings) => SmsGateway

type SmsSettings = {
  /** `SMS_URL`; null where it is not set. */
  url: string | null
  /** `SMS_FROM`: who the text appears to come from. */
  from: string
  /** A secret that the gateway cannot do without. */
  secret(name: string, bytesMin: number): string
  /** Throws when another setting that the gateway cannot do without is null. */
  needed<T>(value: T | null, name: string): T
}

/** A gateway with its settings. */
export type SmsGateway = {
  url: string
  createSms(options: SmsOptions): SmsProvider
  /** `unsigned`: not proved to come from the gateway, or too old. `unreadable`: signed, but no receipt. */
  readReceipt(request: ReceiptRequest): Receipt | 'unsigned' | 'unreadable'
}

export type SmsOptions = {
  /** The address for receipts. */
  receiptUrl: string
  log: Log
  /** @default SMS_TIMEOUT_MS */
  timeoutMs?: number
}

export type ReceiptRequest = {
  body: Uint8Array
  /** The address that the gateway was given, its query included. */
  url: string
  /** Empty where there is none. */
  header(name: string): string
  nowMs: number
}

/** `pending`: the gateway does not know yet how it ends. */
export type Receipt = { messageId: string; fate: 'delivered' | 'undelivered' | 'pending'; refusal: Refusal | null }

const MESSAGE_ID_LENGTH_MAX = 100
const STATUS_LENGTH_MAX = 40

/** A gateway's details beside its status: one of our reasons, and a code of its own. */
export const refusalFields = { reason: z.optional(z.string()), code: z.optional(z.string()) }
const CODE_LENGTH_MAX = 40

/** An unknown reason is `other`. Null where the gateway gives neither. */
export function refusalOf({
  reason,
  code,
}: {
  reason?: string | undefined
  code?: string | undefined
}): Refusal | null {
  if (reason === undefined && code === undefined) return null
  const refused = TEXT_REFUSALS.find((each) => each === reason) ?? 'other'
  // A gateway's code is a word: nothing else of an answer is kept.
  return { refused, code: code?.replace(/[^\w.-]/g, '').slice(0, CODE_LENGTH_MAX) || null }
}

const ReceiptFields = z.object({
  ...refusalFields,
  messageId: opaqueString(MESSAGE_ID_LENGTH_MAX),
  status: opaqueString(STATUS_LENGTH_MAX),
})

/** The final statuses; an unknown one settles and charges nothing. */
const FATES = new Map<string, Receipt['fate']>([
  ['delivered', 'delivered'],
  // Read receipts exist only for what was delivered.
  ['read', 'delivered'],
  ['undelivered', 'undelivered'],
  ['failed', 'undelivered'],
  ['expired', 'undelivered'],
  ['rejected', 'undelivered'],
  ['canceled', 'undelivered'],
])

/** The receipt of a gateway that uses these words for how a text ends. */
export function receiptOf(fields: unknown): Receipt | 'unreadable' {
  const reading = read(ReceiptFields, fields)
  if (!reading.ok) return 'unreadable'
  const { messageId, status, ...said } = reading.value
  const fate = FATES.get(status.toLowerCase()) ?? 'pending'
  return { messageId, fate, refusal: fate === 'undelivered' ? refusalOf(said) : null }
}
