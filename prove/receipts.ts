// Delivery receipts in every disorder: doubled, shuffled, late, forged, stale, for no text, one after the other and all
// at once. However they come, the texts a lender is charged for are the texts that were delivered.
import { setTimeout as sleep } from 'node:timers/promises'
import { receiptRequest } from '../demo/gateway/sms-roles.ts'
import { RECEIPT_AGE_MAX_MS } from '../plugins/live-providers/http/receipt.ts'
import { isClean, reconcile } from '../plugins/statement/reconcile.ts'
import type { TextMessage } from '../service/providers/providers.ts'
import { createRandom } from '../service/providers/simulated/synthetic-random.ts'
import { createTestApp, liveRequest, type TestApp } from '../testing/test-app.ts'

const SCHEDULES = 10_000
const BATCH = 100
const DAY_MS = 86_400_000
const RETRY_MS = 20
const SECRET = 'a secret shared with the gateway'

export const about = {
  title: 'Delivery receipts',
  text: 'Delivery receipts arrive duplicated, out of order, late, forged, stale or for unknown texts. A lender is charged for exactly the delivered texts, and the books balance.',
  meanings: {
    schedules: 'texts, each with its own order of receipts',
    undecided: 'texts whose receipts raced, where either outcome is right',
    wrong: 'impossible in any order',
    charged: 'must be the number delivered',
  },
}

export async function run({ scale }: { scale: number }) {
  const schedules = Math.max(1, Math.round(SCHEDULES * scale))
  const texts: TextMessage[] = []
  const app = await createTestApp({
    environment: {
      SMS_PROVIDER: 'http',
      SMS_URL: 'http://127.0.0.1:9',
      SMS_TOKEN: SECRET,
      SMS_FROM: 'Harbour',
      SMS_RECEIPT_SECRET: SECRET,
      // Every schedule is another person; only the lender is the same.
      SMS_LIMITS: 'tenant=100000000/1m',
    },
    providers: {
      sms: {
        async send(text) {
          texts.push(text)
          return 'accepted'
        },
      },
    },
    claimDevice: async () => ({ profiled: true, seenSecondsAgo: 1, signals: {} }),
  })
  const tally = { schedules, receipts: 0, forgedRefused: 0, forgedAccepted: 0, delivered: 0, undecided: 0, wrong: 0 }
  const random = createRandom('receipts')

  for (let begun = 0; begun < schedules; begun += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, schedules - begun) }, (_, index) => begun + index)
    await Promise.all(batch.map((serial) => app.generate(personOf(serial))))
    const played = await Promise.all(texts.splice(0).map((text) => play(app, text, inventSchedule(random), tally)))

    // A day later what was not reported goes back, and what is reported after that changes nothing.
    app.time.nowMs += DAY_MS + 1
    while ((await app.sweeper.sweep()).unacknowledgedTexts) {}
    for (const { text, possible } of played) {
      await deliver(app, text, { status: 'delivered', forged: false, stale: false }, tally)
      const status = await statusOf(app, text)
      if (!possible.has(status)) tally.wrong += 1
      if (status === 'delivered') tally.delivered += 1
    }
  }

  const charged = await count(app, `SELECT COUNT(*) AS n FROM wallet_line WHERE kind = 'capture' AND purpose = 'text'`)
  const booksBalance = isClean(await reconcile(app.database))
  await app.close()
  const ok = tally.wrong === 0 && tally.forgedAccepted === 0 && charged === tally.delivered && booksBalance
  return { ok, counts: { ...tally, charged } }
}

type Tally = { receipts: number; forgedRefused: number; forgedAccepted: number; undecided: number }

type Receipt = {
  status: string
  /** Signed with another secret. */
  forged: boolean
  /** Signed by the gateway, too long ago. */
  stale: boolean
}

type Schedule = { receipts: Receipt[]; atOnce: boolean }

const STATUSES = ['queued', 'sent', 'delivered', 'delivered', 'undelivered', 'failed', 'pondering'] as const
const FATES: { [status: string]: string } = {
  delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
}

function inventSchedule(random: ReturnType<typeof createRandom>): Schedule {
  const receipts = Array.from({ length: random.between(0, 8) }, () => ({
    status: STATUSES[random.between(0, STATUSES.length - 1)] ?? 'sent',
    forged: random.between(0, 9) < 2,
    stale: random.between(0, 9) === 0,
  }))
  const doubled = receipts.flatMap((receipt) => (random.between(0, 3) === 0 ? [receipt, receipt] : [receipt]))
  return { receipts: doubled, atOnce: random.between(0, 4) === 0 }
}

/** Plays a schedule; resolves to what may become of its text: what came first, or when all came at once, any of it. */
async function play(app: TestApp, text: TextMessage, { receipts, atOnce }: Schedule, tally: Tally) {
  if (atOnce) await Promise.all(receipts.map((receipt) => deliver(app, text, receipt, tally)))
  else for (const receipt of receipts) await deliver(app, text, receipt, tally)
  const fates = receipts.flatMap(({ status, forged, stale }) => (forged || stale ? [] : (FATES[status] ?? [])))
  const possible = new Set(atOnce ? fates : fates.slice(0, 1))
  if (possible.size === 0) {
    tally.undecided += 1
    possible.add('undelivered')
  }
  return { text, possible }
}

async function deliver(app: TestApp, { messageId }: TextMessage, receipt: Receipt, tally: Tally): Promise<void> {
  const { status, forged, stale } = receipt
  const receiptUrl = `${app.config.publicUrl}/v1/sms/receipts/http`
  const signer = {
    secret: forged ? 'a guess' : SECRET,
    nowMs: app.time.nowMs - (stale ? RECEIPT_AGE_MAX_MS + 1_000 : 0),
  }
  const send = () => app.fetch(receiptRequest({ kind: 'http', gatewayId: '', messageId, receiptUrl }, status, signer))
  let response = await send()
  // No caller without a token may keep the service busy; a gateway that is asked to come back later does.
  while (response.status === 503) {
    await sleep(RETRY_MS)
    response = await send()
  }
  tally.receipts += 1
  if (!forged && !stale) return
  if (response.status === 401) tally.forgedRefused += 1
  else tally.forgedAccepted += 1
}

function personOf(serial: number) {
  // Backwards, so that neighbours are in different ranges of numbers.
  const digits = [...String(serial).padStart(8, '0')].toReversed().join('')
  return {
    ...liveRequest(),
    sessionId: `session-${serial}`,
    lastName: `Example ${serial}`,
    mobileNumber: `+4477${digits}`,
    ipAddress: `10.${(serial >> 16) & 255}.${(serial >> 8) & 255}.${serial & 255}`,
  }
}

async function statusOf(app: TestApp, { messageId }: TextMessage): Promise<string> {
  return String((await app.database.first('SELECT status FROM text_message WHERE id = ?', messageId))?.status)
}

async function count(app: TestApp, sql: string): Promise<number> {
  return Number((await app.database.first(sql))?.n)
}
