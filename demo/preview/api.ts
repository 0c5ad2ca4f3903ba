// Requests of the preview's pages to their server.
import * as z from 'zod/mini'
import type { StageName } from '../stages.ts'
import { Diagnoses, Pins, Texts, WalletState } from './wire.ts'

export async function moveClock(stage: StageName, seconds: number): Promise<void> {
  const response = await fetch('/preview/clock', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ stage, seconds }),
  })
  if (!response.ok) throw new Error(`the clock did not move: ${response.status}`)
}

export const readWallet = (stage: StageName): Promise<WalletState> => get('wallet', { stage }, WalletState)

export const readTexts = (creditReportId: string) => get('texts', { creditReportId }, Texts)

/** `stage` empty: the shop's own proxy. */
export const readDiagnoses = (stage: StageName | ''): Promise<Diagnoses> => get('doctor', { stage }, Diagnoses)

export const readPins = (): Promise<Pins> => get('pins', {}, Pins)

async function get<Schema extends z.ZodMiniType>(
  path: string,
  query: { [name: string]: string },
  schema: Schema,
): Promise<z.output<Schema>> {
  const response = await fetch(`/preview/${path}?${new URLSearchParams(query)}`, { cache: 'no-store' }).catch(() => {
    throw new Error('the demo does not answer: is it still running?')
  })
  if (!response.ok) throw new Error(`${path}: the demo answered ${response.status}`)
  return z.parse(schema, await response.json())
}
