import { afterAll, beforeAll, expect, test } from 'vitest'
import { Statement } from '../../contract/statement.ts'
import { CapStates, Holds, LowBalanceAlert, Wallet, WalletLines } from '../../contract/wallet.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { captureReport, chargeMatch, correct, hold, topUp } from './ledger.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('a wallet says what can be spent, what is held and what things cost', async () => {
  const token = await app.newTenant(1_000)
  await app.generate(liveRequest(), { token })
  const { status, body } = await app.read(`/${token}/v1/wallet`, undefined, { token })
  expect(status).toBe(200)
  expect(Wallet.parse(body)).toEqual({
    tenantId: token,
    balanceCredits: 460,
    heldCredits: 500,
    reportPriceCredits: 500,
    textPriceCredits: 40,
    bureaus: ['equifax', 'experian', 'transunion'],
  })
})

test('lines come newest first, in pages that neither skip nor repeat', async () => {
  const token = await app.newTenant(5_000)
  for (let index = 0; index < 5; index += 1) await app.generate(liveRequest('Allow'), { token })
  const seen: string[] = []
  let after = ''
  do {
    const { body } = await app.read(`/${token}/v1/wallet/lines?limit=4${after}`, undefined, { token })
    const { lines, nextAfter } = WalletLines.parse(body)
    seen.push(...lines.map((line) => line.id))
    after = nextAfter === undefined ? '' : `&after=${encodeURIComponent(nextAfter)}`
  } while (after !== '')
  expect(seen).toHaveLength(11)
  expect(new Set(seen).size).toBe(11)
  expect(seen.at(-1)).toBe(`top-up_${token}_first`)
})

test('a line tells its story', async () => {
  const token = await app.newTenant(5_000)
  const { creditReportId } = (await app.generate(liveRequest('Allow'), { token })).body.data
  const { body } = await app.read(`/${token}/v1/wallet/lines?creditReportId=${creditReportId}`, undefined, { token })
  const hold = {
    id: expect.any(String),
    kind: 'hold',
    purpose: 'report',
    credits: -500,
    creditReportId,
    externalReference: liveRequest().externalReference,
    createdAt: new Date(app.time.nowMs).toISOString(),
  }
  expect(body.lines).toEqual([
    { ...hold, kind: 'capture', holdId: body.lines[1].id, agencies: { asked: 2, delivered: 2 } },
    hold,
  ])
})

test('a page has fifty lines by default, at most two hundred, and names the next one only if there is one', async () => {
  const token = await app.newTenant(0)
  for (let index = 0; index < 51; index += 1)
    await topUp(app.database, { tenantId: token, credits: 1, reference: String(index), nowMs: app.time.nowMs })
  const page = async (query: string) => {
    const { body } = await app.read(`/${token}/v1/wallet/lines${query}`, undefined, { token })
    const { lines, nextAfter } = WalletLines.parse(body)
    return [lines.length, nextAfter]
  }
  expect(await page('')).toEqual([50, `top-up_${token}_1`])
  expect(await page('?limit=1')).toEqual([1, `top-up_${token}_50`])
  expect(await page('?limit=51')).toEqual([51, undefined])
  expect(await page('?limit=200')).toEqual([51, undefined])
})

test.each(['limit=0', 'limit=201', 'limit=1.5', 'limit=x', 'limit=', 'after=nothing', 'after=', 'reportId=a'])(
  '?%s is refused by name',
  async (query) => {
    const { status, body } = await app.read(`/demo-lender/v1/wallet/lines?${query}`)
    expect(status).toBe(400)
    expect(body).toEqual({ code: 'validation-error', message: expect.stringContaining(query.split('=')[0] ?? '') })
  },
)

test('a wallet is its tenant’s alone', async () => {
  for (const path of ['/other-lender/v1/wallet', '/other-lender/v1/wallet/lines']) {
    expect(await app.read(path)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await app.read(path, undefined, { token: '' })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
  }
  const gone = await app.read('/no-lender/v1/wallet', undefined, { token: 'no-lender' })
  expect(gone).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const mine = (await app.read('/demo-lender/v1/wallet/lines')).body.lines[0].id
  const foreign = await app.read(`/other-lender/v1/wallet/lines?after=${mine}`, undefined, { token: 'other-lender' })
  expect(foreign.status).toBe(400)
})

test('a statement leads from its opening to its closing, page by page', async () => {
  const token = await app.newTenant(5_000)
  for (let index = 0; index < 3; index += 1) await app.generate(liveRequest('Allow'), { token })
  await app.generate(liveRequest(), { token })
  const month = new Date(app.time.nowMs).toISOString().slice(0, 7)
  let credits = 0
  let after = ''
  let last: Statement
  do {
    const { status, body } = await app.read(`/${token}/v1/wallet/statement?month=${month}&limit=2${after}`, undefined, {
      token,
    })
    expect(status).toBe(200)
    last = Statement.parse(body)
    for (const line of last.lines) credits += line.credits
    after = last.nextAfter === undefined ? '' : `&after=${encodeURIComponent(last.nextAfter)}`
  } while (after !== '')
  expect(last).toMatchObject({ openingCredits: 0, closingCredits: 3_460, heldCredits: 500 })
  expect(last.totals.map(({ item, lines }) => [item, lines])).toEqual([
    ['top-up', 1],
    ['report', 3],
    ['text', 1],
  ])
  expect(credits).toBe(3_460)
  const held = Holds.parse((await app.read(`/${token}/v1/wallet/holds`, undefined, { token })).body)
  expect(held.holds.map(({ purpose, credits: amount }) => [purpose, amount])).toEqual([['report', -500]])
  expect(held).not.toHaveProperty('nextAfter')
})

test('a month that has not begun has no statement', async () => {
  const token = await app.newTenant(0)
  const ask = (month: string) => app.read(`/${token}/v1/wallet/statement?month=${month}`, undefined, { token })
  const monthOf = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 7)
  expect((await ask(monthOf(app.time.nowMs))).status).toBe(200)
  expect(await ask(monthOf(app.time.nowMs + 31 * 86_400_000))).toMatchObject({
    status: 400,
    body: { code: 'validation-error', message: 'month: must not be later than this month' },
  })
})

test('what is held is listed, a page at a time', async () => {
  const token = await app.newTenant(5_000)
  const started: string[] = []
  for (let held = 0; held < 3; held += 1)
    started.push((await app.generate(liveRequest(), { token })).body.data.creditReportId)
  const read = async (query: string) =>
    Holds.parse((await app.read(`/${token}/v1/wallet/holds?${query}`, undefined, { token })).body)
  const all = await read('limit=3')
  expect(all.holds).toHaveLength(3)
  expect(all.holds.map(({ id }) => id)).toEqual(started.map((id) => `hold_report_${id}`))
  expect(all.holds[0]).toEqual({
    id: `hold_report_${started[0]}`,
    purpose: 'report',
    credits: -500,
    creditReportId: started[0],
    externalReference: liveRequest().externalReference,
    createdAt: new Date(app.time.nowMs).toISOString(),
  })
  expect(all).not.toHaveProperty('nextAfter')
  const first = await read('limit=2')
  expect(first.holds).toEqual(all.holds.slice(0, 2))
  const rest = await read(`limit=2&after=${encodeURIComponent(first.nextAfter ?? '')}`)
  expect(rest).toEqual({ holds: all.holds.slice(2) })
})

test.each([
  ['no month', 'statement', 'month'],
  ['a month that is none', 'statement?month=2026-13', 'month'],
  ['another lender’s line', 'statement?month=2026-11&after=top-up_demo-lender_demo', 'after'],
  ['another lender’s line among the holds', 'holds?after=top-up_demo-lender_demo', 'after'],
])('%s is refused', async (_what, path, field) => {
  const token = await app.newTenant(5_000)
  const { status, body } = await app.read(`/${token}/v1/wallet/${path}`, undefined, { token })
  expect([status, body.code]).toEqual([400, 'validation-error'])
  expect(body.message).toContain(field)
})

test('caps and the low-balance alert are set, read and written down; what buys nothing is refused', async () => {
  const token = await app.newTenant(5_000)
  const change = (body: unknown) => app.read(`/${token}/v1/wallet/caps`, body, { token, method: 'PATCH' })
  const alert = (body: unknown) => app.read(`/${token}/v1/wallet/low-balance`, body, { token, method: 'PUT' })
  const caps = { report: { hour: 1_000, day: null }, text: { hour: 0, day: 0 } }
  expect(CapStates.parse((await change(caps)).body).caps).toEqual([
    { purpose: 'report', period: 'hour', capCredits: 1_000, spentCredits: 0 },
    { purpose: 'report', period: 'day', capCredits: null, spentCredits: 0 },
    { purpose: 'text', period: 'hour', capCredits: 0, spentCredits: 0 },
    { purpose: 'text', period: 'day', capCredits: 0, spentCredits: 0 },
  ])
  for (const [wrong, message] of [
    [
      { ...caps, report: { hour: 499, day: null } },
      'report.hour: must be none, 0 or at least the price of one, 500 credits (£0.50)',
    ],
    [{ ...caps, text: { hour: 80, day: 40 } }, 'text.day: must not be below'],
    [{ ...caps, text: { hour: -1, day: null } }, 'text.hour'],
    [{ ...caps, text: { hour: 1.5, day: null } }, 'text.hour'],
    [{ ...caps, text: { hour: 1e15, day: null } }, 'text.hour'],
  ] as const) {
    const refused = await change(wrong)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain(message)
  }
  expect((await app.read(`/${token}/v1/wallet/caps`, undefined, { token })).body.caps[0].capCredits).toBe(1_000)
  expect(LowBalanceAlert.parse((await alert({ thresholdCredits: 700 })).body)).toEqual({
    thresholdCredits: 700,
  })
  expect((await app.read(`/${token}/v1/wallet/low-balance`, undefined, { token })).body).toEqual({
    thresholdCredits: 700,
  })
  const lines = await app.database.all(
    'SELECT action, outcome, change_json FROM audit_event WHERE tenant_id = ? ORDER BY sequence',
    token,
  )
  const done = lines.filter(({ outcome }) => outcome === 'done')
  expect(done.map(({ action }) => action)).toEqual(['caps.set', 'low-balance.set'])
  expect(JSON.parse(String(done[0]?.change_json))).toEqual({
    from: { 'report-hour': null, 'text-hour': null, 'text-day': null },
    to: { 'report-hour': 1_000, 'text-hour': 0, 'text-day': 0 },
  })
  expect(JSON.parse(String(done[1]?.change_json))).toEqual({ from: null, to: 700 })
  for (const thresholdCredits of [0, -1, 0.5, 1e15]) expect((await alert({ thresholdCredits })).status).toBe(400)
  expect((await alert({ thresholdCredits: null })).body).toEqual({ thresholdCredits: null })
  const last = await app.database.first(
    `SELECT change_json FROM audit_event WHERE tenant_id = ? AND action = 'low-balance.set' ORDER BY sequence DESC LIMIT 1`,
    token,
  )
  expect(JSON.parse(String(last?.change_json))).toEqual({ from: 700, to: null })
})

test('a lender that is not there has neither caps to set nor an alert', async () => {
  const token = 'no-lender'
  const caps = { report: { hour: null, day: null }, text: { hour: null, day: null } }
  expect(await app.read(`/${token}/v1/wallet/caps`, caps, { token, method: 'PATCH' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  expect((await app.read(`/${token}/v1/wallet/low-balance`, undefined, { token })).body).toEqual({
    thresholdCredits: null,
  })
})

test('what is given back, taken for a match and corrected is on the ledger and on the statement, each with its facts', async () => {
  const token = await app.newTenant(5_000)
  const { nowMs } = app.time
  const check = { tenantId: token, creditReportId: 'r1' }
  await app.database.transaction(async (queries) => {
    await hold(queries, { ...check, purpose: 'report', subjectId: 'r1', credits: 500, nowMs })
    await captureReport(queries, { creditReportId: 'r1', agencies: { asked: 3, delivered: 2 } }, nowMs)
    await chargeMatch(queries, { ...check, credits: 50, nowMs })
    await correct(queries, { tenantId: token, credits: -9, reason: 'booked twice', reference: 'c1', nowMs })
  })
  const createdAt = new Date(nowMs).toISOString()
  const { body } = await app.read(`/${token}/v1/wallet/lines`, undefined, { token })
  const ofReport = { createdAt, creditReportId: 'r1' }
  const agencies = { asked: 3, delivered: 2 }
  const corrected = { createdAt, purpose: 'report', credits: -9, reason: 'booked twice' }
  const holdId = `hold_correction_${token}_c1`
  expect(body).toEqual({
    lines: [
      { ...corrected, id: `capture_correction_${token}_c1`, kind: 'capture', holdId },
      { ...corrected, id: holdId, kind: 'hold' },
      {
        ...ofReport,
        id: 'capture_match_r1',
        kind: 'capture',
        purpose: 'match',
        credits: -50,
        holdId: 'hold_match_r1',
      },
      { ...ofReport, id: 'hold_match_r1', kind: 'hold', purpose: 'match', credits: -50 },
      { ...ofReport, id: 'refund_report_r1', kind: 'top-up', purpose: 'top-up', credits: 166, agencies },
      {
        ...ofReport,
        id: 'capture_report_r1',
        kind: 'capture',
        purpose: 'report',
        credits: -500,
        holdId: 'hold_report_r1',
        agencies,
      },
      { ...ofReport, id: 'hold_report_r1', kind: 'hold', purpose: 'report', credits: -500 },
      { createdAt, id: `top-up_${token}_first`, kind: 'top-up', purpose: 'top-up', credits: 5_000 },
    ],
  })
  const month = createdAt.slice(0, 7)
  const statement = await app.read(`/${token}/v1/wallet/statement?month=${month}`, undefined, { token })
  expect(statement.body).toEqual({
    month,
    days: [{ day: createdAt.slice(0, 10), lines: 5, credits: 4_607, spentCredits: 384 }],
    openingCredits: 0,
    closingCredits: 4_607,
    heldCredits: 0,
    totals: [
      { item: 'top-up', lines: 1, credits: 5_000 },
      { item: 'report', lines: 1, credits: -500 },
      { item: 'match', lines: 1, credits: -50 },
      { item: 'given-back', lines: 1, credits: 166 },
      { item: 'correction', lines: 1, credits: -9 },
    ],
    lines: [
      { createdAt, id: `top-up_${token}_first`, item: 'top-up', credits: 5_000 },
      { ...ofReport, id: 'capture_report_r1', item: 'report', credits: -500, agencies },
      { ...ofReport, id: 'refund_report_r1', item: 'given-back', credits: 166, agencies },
      { ...ofReport, id: 'capture_match_r1', item: 'match', credits: -50 },
      { createdAt, id: `capture_correction_${token}_c1`, item: 'correction', credits: -9, reason: 'booked twice' },
    ],
  })
})
