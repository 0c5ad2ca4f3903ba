// A whole /48 of attackers asks for reports as fast as it can, while honest people of other networks buy. What is spent
// stays under the lender's cap at every moment, and the honest are served.

import { readSpend, setCaps } from '../plugins/limits/spend-caps.ts'
import { isClean, reconcile } from '../plugins/statement/reconcile.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { createTestApp, liveRequest } from '../testing/test-app.ts'

/** 2,000 a minute, more than three times what the lender may ask. */
const ATTEMPTS = 40_000
const MINUTES = 20
const MINUTE_MS = 60_000
const HONEST_PER_MINUTE = 10
const PRICE_CREDITS = 500
/** Of 600 requests a minute, a /48 gets 120: in twenty minutes 2,400 reports, and as much again for the honest. */
const CAP_CREDITS = 2_000_000
const LIMIT_PER_MINUTE = '600'

export const about = {
  title: 'Wallet drain',
  text: 'Attackers in one /48, each request from another /64, request 2,000 reports a minute for twenty minutes beside real consumers. Spending stays within the lender’s cap, the attackers within the share of one network, and no real consumer is refused.',
  meanings: {
    attackReports: 'reports the attackers got',
    bound: 'the most one network may get',
  },
}

export async function run({ scale }: { scale: number }) {
  const perMinute = Math.max(900, Math.round((ATTEMPTS * scale) / MINUTES))
  const minutes = Math.max(2, Math.round(MINUTES * Math.min(1, scale * 10)))
  const app = await createTestApp({ environment: { RATE_LIMIT_PER_MINUTE: LIMIT_PER_MINUTE } })
  const caps = { hour: CAP_CREDITS, day: null }
  const funds = { tenantId: 'demo-lender', credits: 10 * CAP_CREDITS, reference: 'drain', nowMs: app.time.nowMs }
  await app.database.transaction((queries) => topUp(queries, funds))
  await setCaps(app.database, { tenantId: 'demo-lender', purpose: 'report', caps })
  const tally = { attempts: 0, attackReports: 0, honestPeople: 0, honestRefused: 0, spentMax: 0 }
  let serial = 0

  async function ask(ipAddress: string): Promise<boolean> {
    serial += 1
    const { status } = await app.generate({ ...liveRequest('Allow'), ipAddress, sessionId: `s${serial}` })
    return status === 200
  }

  for (let minute = 0; minute < minutes; minute += 1) {
    for (let honest = 0; honest < HONEST_PER_MINUTE; honest += 1) {
      const attacks = Array.from({ length: Math.ceil(perMinute / HONEST_PER_MINUTE) }, async () => {
        tally.attempts += 1
        const home = (tally.attempts % 0xffff).toString(16)
        if (await ask(`2001:db8:bad:${home}::1`)) tally.attackReports += 1
      })
      await Promise.all(attacks)
      tally.honestPeople += 1
      if (!(await ask(`203.0.${minute}.${honest}`))) tally.honestRefused += 1
    }
    const spend = await readSpend(app.database, 'demo-lender', app.time.nowMs)
    tally.spentMax = Math.max(tally.spentMax, ...spend.map(({ spentCredits }) => spentCredits))
    app.time.nowMs += MINUTE_MS
  }

  const booksBalance = isClean(await reconcile(app.database))
  await app.close()
  const bound = Math.floor(Number(LIMIT_PER_MINUTE) * 0.2) * minutes
  const ok =
    booksBalance &&
    tally.honestRefused === 0 &&
    tally.attackReports <= bound &&
    tally.spentMax <= CAP_CREDITS &&
    tally.spentMax >= PRICE_CREDITS
  return { ok, counts: { ...tally, bound, capCredits: CAP_CREDITS } }
}
