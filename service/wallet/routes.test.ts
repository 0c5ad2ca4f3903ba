import { afterAll, beforeAll, expect, test } from 'vitest'
import { Wallet, WalletLines } from '../../contract/wallet.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { topUp } from './store.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('a wallet says what can be spent, what is held and what things cost', async () => {
  const token = await app.newTenant(1_000)
  await app.generate(liveRequest(), { token })
  const { status, body } = await app.call(`/${token}/v1/wallet`, undefined, { token })
  expect(status).toBe(200)
  expect(Wallet.parse(body)).toEqual({
    tenantId: token,
    balanceCredits: 460,
    heldCredits: 500,
    reportPriceCredits: 500,
    smsPriceCredits: 40,
  })
})

test('lines come newest first, in pages that neither skip nor repeat', async () => {
  const token = await app.newTenant(5_000)
  for (let index = 0; index < 5; index += 1) await app.generate(liveRequest('Allow'), { token })
  const seen: string[] = []
  let before = ''
  do {
    const { body } = await app.call(`/${token}/v1/wallet/lines?limit=4${before}`, undefined, { token })
    const { lines, nextBefore } = WalletLines.parse(body)
    seen.push(...lines.map((line) => line.id))
    before = nextBefore === undefined ? '' : `&before=${encodeURIComponent(nextBefore)}`
  } while (before !== '')
  expect(seen).toHaveLength(11)
  expect(new Set(seen).size).toBe(11)
  expect(seen.at(-1)).toBe(`top-up_${token}_first`)
})

test('a line tells its story', async () => {
  const token = await app.newTenant(5_000)
  const { creditReportId } = (await app.generate(liveRequest('Allow'), { token })).body.data
  const { body } = await app.call(`/${token}/v1/wallet/lines?creditReportId=${creditReportId}`, undefined, { token })
  const hold = {
    id: expect.any(String),
    kind: 'hold',
    purpose: 'report',
    credits: 500,
    creditReportId,
    externalReference: liveRequest().externalReference,
    createdAt: new Date(app.time.nowMs).toISOString(),
  }
  expect(body.lines).toEqual([
    { ...hold, kind: 'capture', holdId: body.lines[1].id, agencies: { asked: 2, delivered: 2 } },
    hold,
  ])
})

test('a page has fifty lines unless told, at most two hundred, and names the next one only if there is one', async () => {
  const token = await app.newTenant(0)
  for (let index = 0; index < 51; index += 1)
    await topUp(app.database, { tenantId: token, credits: 1, reference: String(index), nowMs: app.time.nowMs })
  const page = async (query: string) => {
    const { body } = await app.call(`/${token}/v1/wallet/lines${query}`, undefined, { token })
    const { lines, nextBefore } = WalletLines.parse(body)
    return [lines.length, nextBefore]
  }
  expect(await page('')).toEqual([50, `top-up_${token}_1`])
  expect(await page('?limit=1')).toEqual([1, `top-up_${token}_50`])
  expect(await page('?limit=51')).toEqual([51, undefined])
  expect(await page('?limit=200')).toEqual([51, undefined])
})

test.each(['limit=0', 'limit=201', 'limit=1.5', 'limit=x', 'limit=', 'before=nothing', 'before=', 'reportId=a'])(
  '?%s is refused by name',
  async (query) => {
    const { status, body } = await app.call(`/demo-lender/v1/wallet/lines?${query}`)
    expect(status).toBe(400)
    expect(body).toEqual({ code: 'validation-error', message: expect.stringContaining(query.split('=')[0] ?? '') })
  },
)

test('a wallet is its tenant’s alone', async () => {
  for (const path of ['/other-lender/v1/wallet', '/other-lender/v1/wallet/lines']) {
    expect(await app.call(path)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(await app.call(path, undefined, { token: '' })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    })
  }
  const gone = await app.call('/no-lender/v1/wallet', undefined, { token: 'no-lender' })
  expect(gone).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  const mine = (await app.call('/demo-lender/v1/wallet/lines')).body.lines[0].id
  const foreign = await app.call(`/other-lender/v1/wallet/lines?before=${mine}`, undefined, { token: 'other-lender' })
  expect(foreign.status).toBe(400)
})
