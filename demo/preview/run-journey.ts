// One run of one journey in a frame, judged.
import type { Exchange } from '../exchange.ts'
import type { Played } from '../host/play.ts'
import type { Journey } from '../journeys/journey.ts'
import { readReceipt } from './api.ts'
import { hostOf } from './frame.ts'
import { judge } from './judge.ts'
import { makeReceipts } from './receipt.ts'
import { exchanges } from './state.ts'

export type RunResult = {
  passed: boolean
  /** What was not as it must be. */
  differences: string[]
  events: Played['events']
  tookMs: number
  costCredits: number
}

const NEWS_LIMIT_MS = 5_000

/** The frame shows the host page of this journey and label, with its knobs set. Never rejects. */
export async function runJourney(frame: HTMLIFrameElement, journey: Journey, label: string): Promise<RunResult> {
  const startedMs = performance.now()
  const took = () => Math.round(performance.now() - startedMs)
  try {
    const host = await hostOf(frame)
    const played = await host.play(journey, { person: 'sam', addressCount: 1, isOneOfMany: true })
    const tookMs = took()
    const costCredits = await findCost(journey, label, played)
    const records = journey.ends.records === undefined ? null : await findRecords(label)
    const differences = judge(journey, { ...played, costCredits, records })
    return { passed: differences.length === 0, differences, events: played.events, tookMs, costCredits }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { passed: false, differences: [reason], events: [], tookMs: took(), costCredits: 0 }
  }
}

/** From the ledger where money moves, else from what the service said. */
async function findCost({ stage }: Journey, label: string, { events }: Played): Promise<number> {
  const creditReportId = events.findLast(({ detail }) => detail.creditReportId)?.detail.creditReportId
  if (stage === 'live' && creditReportId !== undefined) {
    const [receipt] = makeReceipts(await readReceipt(stage, creditReportId))
    return receipt?.costCredits ?? 0
  }
  return exchangesOf(label, 'proxy → service').reduce((sum, { response }) => sum + costIn(response?.body ?? ''), 0)
}

function costIn(body: string): number {
  const [, cost] = /"cost":(\d+)/.exec(body) ?? []
  return Number(cost ?? 0)
}

/** How many accounts the browser got. The traffic may arrive a moment after the screen. */
async function findRecords(label: string): Promise<number | null> {
  const giveUpAtMs = Date.now() + NEWS_LIMIT_MS
  while (Date.now() < giveUpAtMs) {
    const answer = exchangesOf(label, 'widget → proxy').findLast(({ response }) =>
      response?.body.includes('"creditReport":'),
    )
    if (answer?.response) return answer.response.body.match(/"accountNumber":/g)?.length ?? 0
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return null
}

function exchangesOf(label: string, between: Exchange['between']): Exchange[] {
  return exchanges.value.filter((exchange) => exchange.label === label && exchange.between === between)
}
