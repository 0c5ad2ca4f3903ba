// A gang that owns a few ranges of numbers has a lender text them, from a thousand addresses, for hours. How many texts
// leave follows from the limits alone; the people who really want to buy a car in those hours notice nothing.

import { CONVERSION_TEXTS_MIN } from '../plugins/limits/text-limits.ts'
import { isClean, reconcile } from '../plugins/statement/reconcile.ts'
import { topUp } from '../service/ledger/ledger.ts'
import type { TextMessage } from '../service/providers/providers.ts'
import { createRandom } from '../service/providers/simulated/synthetic-random.ts'
import { createTestApp, liveRequest, type TestApp } from '../testing/test-app.ts'

const ATTEMPTS = 100_000
const ADDRESSES = 1_000
const RANGES = 5
const MINUTES = 360
const MINUTE_MS = 60_000
/** Of a hundred honest people, so many ask for a second text, and so many type their code in. */
const RESEND_PERCENT = 15
const COMPLETE_PERCENT = 80
const HONEST_PER_MINUTE = 4

export const about = {
  title: 'Toll fraud',
  text: 'Attackers request texts to their own number ranges for six hours from a thousand addresses, beside real consumers.',
  meanings: {
    attackTexts: 'texts to the attackers',
    bound: 'the most the limits allow',
  },
}

export async function run({ scale }: { scale: number }) {
  const minutes = Math.max(30, Math.round(MINUTES * Math.min(1, scale * 5)))
  const attemptsPerMinute = Math.max(1, Math.round((ATTEMPTS * scale) / minutes))
  const sent = new Map<string, TextMessage>()
  const app = await openLender(sent)
  const random = createRandom('pumping')
  const tally = { attempts: 0, attackTexts: 0, honestPeople: 0, honestTexts: 0, honestRefused: 0, honestCompleted: 0 }
  let serial = 0

  async function attack(): Promise<void> {
    serial += 1
    tally.attempts += 1
    const request = attackerOf(serial, random)
    const { status, body } = await app.generate(request)
    if (status !== 200) return
    tally.attackTexts += 1
    // They use up everything they get.
    for (let send = 0; send < 2; send += 1) {
      tally.attempts += 1
      if ((await app.resend(body.data)).status === 200) tally.attackTexts += 1
    }
  }

  async function buy(): Promise<void> {
    serial += 1
    tally.honestPeople += 1
    const [resends, completes] = [random.between(1, 100) <= RESEND_PERCENT, random.between(1, 100) <= COMPLETE_PERCENT]
    const answers = [await app.generate(buyerOf(serial))]
    if (answers[0]?.status !== 200) {
      tally.honestRefused += 1
      return
    }
    const { data } = answers[0].body
    if (resends) answers.push(await app.resend(data))
    tally.honestTexts += answers.filter(({ status }) => status === 200).length
    tally.honestRefused += answers.filter(({ status }) => status !== 200).length
    const text = sent.get(data.creditReportId)
    if (!completes || text === undefined) return
    const { body } = await app.submit(data, text.body.slice(0, 6))
    if (body.data.status === 'complete') tally.honestCompleted += 1
  }

  for (let minute = 0; minute < minutes; minute += 1) {
    await Promise.all([
      ...Array.from({ length: attemptsPerMinute }, attack),
      ...Array.from({ length: HONEST_PER_MINUTE }, buy),
    ])
    sent.clear()
    app.time.nowMs += MINUTE_MS
    await app.sweeper.sweep()
  }

  const booksBalance = isClean(await reconcile(app.database))
  await app.close()
  const bound = textsAtMost(minutes)
  const ok = booksBalance && tally.attackTexts <= bound && tally.honestRefused === 0 && tally.honestCompleted > 0
  return { ok, counts: { ...tally, addresses: ADDRESSES, bound } }
}

/**
 * None of the gang's codes is ever typed in, so each range stands still while it has had `CONVERSION_TEXTS_MIN` texts
 * in the last hour: so many in each hour that begins.
 */
function textsAtMost(minutes: number): number {
  return RANGES * CONVERSION_TEXTS_MIN * (Math.floor(minutes / 60) + 1)
}

async function openLender(sent: Map<string, TextMessage>): Promise<TestApp> {
  const app = await createTestApp({
    environment: {
      SMS_PROVIDER: 'http',
      SMS_URL: 'http://127.0.0.1:9',
      SMS_TOKEN: 'not used here',
      SMS_FROM: 'Harbour',
      SMS_RECEIPT_SECRET: 'not used here either',
    },
    providers: {
      sms: {
        async send(text) {
          sent.set(text.creditReportId, text)
          return 'delivered'
        },
      },
    },
    claimDevice: async () => ({ profiled: true, seenSecondsAgo: 1, signals: {} }),
  })
  const funds = { tenantId: 'demo-lender', credits: 100_000_000, reference: 'pumping', nowMs: app.time.nowMs }
  await app.database.transaction((queries) => topUp(queries, funds))
  return app
}

/** Another name, session and number each time; a thousand addresses; few ranges. */
function attackerOf(serial: number, random: ReturnType<typeof createRandom>) {
  const address = random.between(0, ADDRESSES - 1)
  return {
    ...liveRequest(),
    sessionId: `bot-${serial}`,
    lastName: `Bot ${serial}`,
    mobileNumber: `+44740${random.between(0, RANGES - 1)}00${random.digits(4)}`,
    ipAddress: `198.18.${address >> 8}.${address & 255}`,
  }
}

/** A person with a number of their own, in a range they share with few. Two live behind each address. */
function buyerOf(serial: number) {
  const digits = [...String(serial).padStart(7, '0')].toReversed().join('')
  const household = serial >> 1
  return {
    ...liveRequest(),
    sessionId: `buyer-${serial}`,
    lastName: `Buyer ${serial}`,
    mobileNumber: `+44777${digits}`,
    ipAddress: `10.${(household >> 16) & 255}.${(household >> 8) & 255}.${household & 255}`,
  }
}
