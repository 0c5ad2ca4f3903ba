// The wire between the preview's page and its server.
import * as z from 'zod/mini'
import { Wallet, WalletLine } from '../../contract/wallet.ts'
import type { Exchange } from '../exchange.ts'

/** `POST /preview/clock`: moves the service's and the proxy's time for the lender of a stage. */
export const MoveClock = z.object({ stage: z.string(), seconds: z.int().check(z.minimum(0), z.maximum(3_600)) })

/** `GET /preview/wallet`. */
export const WalletState = z.object({ wallet: Wallet, lines: z.array(WalletLine) })
export type WalletState = z.infer<typeof WalletState>

/** `GET /preview/texts?creditReportId`: newest first. */
export const Texts = z.array(z.object({ body: z.string(), sentAt: z.string() }))

/** `GET /preview/doctor?stage`. */
export const Diagnoses = z.array(
  z.object({ check: z.string(), ok: z.boolean(), message: z.string(), fix: z.optional(z.string()) }),
)
export type Diagnoses = z.infer<typeof Diagnoses>

/** `GET /preview/pins`: what a lender who pins writes into the tags. */
export const Pins = z.object({
  publicServiceUrl: z.string(),
  widget: z.object({ src: z.string(), integrity: z.string() }),
  fingerprint: z.object({ src: z.string(), integrity: z.string() }),
})
export type Pins = z.infer<typeof Pins>

const Message = { headers: z.array(z.tuple([z.string(), z.string()])), body: z.string() }

/** One event of `GET /preview/stream`. */
export const StreamedExchange: z.ZodMiniType<Exchange> = z.object({
  id: z.int(),
  label: z.string(),
  between: z.enum(['widget → proxy', 'proxy → service']),
  method: z.string(),
  url: z.string(),
  startedAtMs: z.number(),
  tookMs: z.number(),
  request: z.object(Message),
  response: z.nullable(z.object({ ...Message, status: z.int() })),
})
