// Credits at an operator's hands: what is booked, what is listed, and what of broken books is shown.
import { beforeEach, expect, test } from 'vitest'
import { operateTestService } from '../../testing/admin.ts'
import { liveRequest } from '../../testing/test-app.ts'

const { app, type } = operateTestService()

let lender = ''
beforeEach(async () => {
  lender = await app().newTenant(0)
})
const balance = async () =>
  (await app().database.first('SELECT balance_credits FROM wallet WHERE tenant_id = ?', lender))?.balance_credits
const topUp = (...words: string[]) => type(['top-up', lender, ...words])
const correct = (...words: string[]) => type(['correct', lender, ...words, '--reason', 'mistake'])

test('the least and the most that can be added', async () => {
  expect((await topUp('1')).printed).toEqual(['added    1 credits (£0.001)', 'balance  1 credits (£0.001)'])
  expect((await topUp('1000000000001')).exitCode).toBe(2)
  expect((await topUp('1000000000000')).exitCode).toBe(0)
  expect(await balance()).toBe(1_000_000_000_001)
})

test('without a reference each counts; with one it counts once, whatever is around it', async () => {
  for (const words of [['5'], ['5'], ['5', '--reference', 'a'], ['5', '--reference', ' a ']])
    expect((await topUp(...words)).exitCode).toBe(0)
  expect(await topUp('6', '--reference', 'a')).toMatchObject({
    exitCode: 2,
    complaints: ['--reference was booked before, for 5 credits: nothing added', expect.any(String)],
  })
  expect(await balance()).toBe(15)
  expect((await correct('1')).exitCode).toBe(0)
  expect((await correct('+1')).printed[0]).toBe('booked   1 credits (£0.001)')
  for (const reference of ['b', ' b ']) expect((await correct('-1', '--reference', reference)).exitCode).toBe(0)
  expect(await balance()).toBe(16)
})

test('no more is taken than there is', async () => {
  await topUp('5')
  expect(await correct('-6')).toMatchObject({
    exitCode: 1,
    printed: [],
    complaints: ['the wallet has fewer credits than that; held ones cannot be taken'],
  })
  expect((await correct('-5')).printed).toEqual(['booked   -5 credits (-£0.005)', 'balance  0 credits (£0.00)'])
})

test('the newest lines of a wallet, or those of one report; as JSON without the balance', async () => {
  await topUp('5000')
  const buy = async (externalReference: string): Promise<string> => {
    app().time.nowMs += 1
    const request = { ...liveRequest('Allow'), externalReference }
    return (await app().generate(request, { token: lender })).body.data.creditReportId
  }
  const [one, other] = [await buy('order 6'), await buy('order 7')]
  const ledger = async (...words: string[]) => (await type(['ledger', lender, ...words])).printed
  expect(await ledger()).toHaveLength(7)
  expect((await ledger()).at(-1)).toBe('balance 4000 credits')
  expect(await ledger('--limit', '1')).toEqual([
    expect.stringMatching(/^createdAt/),
    expect.stringContaining(` capture  report   500      ${other}  order 7            2 of 2`),
    'balance 4000 credits',
  ])
  const ofOne = (await ledger('--report', one, '--json')).map((line) => JSON.parse(line))
  expect(ofOne).toEqual([
    {
      createdAt: new Date(app().time.nowMs - 1).toISOString(),
      kind: 'capture',
      purpose: 'report',
      credits: 500,
      creditReportId: one,
      externalReference: 'order 6',
      agencies: '2 of 2',
      reason: null,
    },
    expect.objectContaining({ kind: 'hold', creditReportId: one, agencies: null }),
  ])
  expect(await ledger('--report', 'none')).toEqual([expect.stringMatching(/^createdAt/), 'balance 4000 credits'])
})

test('books that are broken are named by ten of those they concern, and how many there are', async () => {
  for (let lenders = 0; lenders < 10; lenders += 1) await app().newTenant(0)
  await app().database.run('UPDATE wallet SET balance_credits = balance_credits + 1')
  const many = (await app().database.all('SELECT tenant_id FROM wallet')).length
  const { exitCode, printed } = await type(['reconcile'])
  expect(exitCode).toBe(1)
  const at = printed.indexOf(`BROKEN  every balance is the sum of its lines: ${many}`)
  expect(printed.slice(at + 1).findIndex((line) => !line.startsWith('          '))).toBe(10)
  expect(printed.filter((line) => line.startsWith('ok ')).length).toBeGreaterThan(5)
  await app().database.run('UPDATE wallet SET balance_credits = balance_credits - 1')
  expect((await type(['reconcile'])).exitCode).toBe(0)
})

test('caps are set one by one, and leave those of the other purpose as they are', async () => {
  const caps = async (...words: string[]) => {
    const { exitCode, printed } = await type(['caps', lender, ...words])
    expect([exitCode, printed[0]]).toEqual([0, 'requests per minute  600'])
    return printed.slice(2).map((line) => line.replace(/ +/g, ' '))
  }
  expect(await caps()).toEqual([])
  expect(await caps('--text-day', '900')).toEqual(['text hour - 0', 'text day 900 0'])
  expect(await caps('--report-hour', '700', '--text-hour', '40')).toEqual([
    'report hour 700 0',
    'report day - 0',
    'text hour 40 0',
    'text day 900 0',
  ])
  expect((await type(['caps', lender, '--text-day', '39'])).complaints[0]).toBe(
    '--text-day must be none, 0 or at least the price of one, 40 credits (£0.04)',
  )
  expect((await type(['caps', lender, '--report-day', '699'])).complaints[0]).toBe(
    '--report-day must not be below the cap for an hour',
  )
  expect(await caps('--report-hour', 'none', '--report-day', '500')).toContain('report day 500 0')
})

test('a cap is held against the lender’s own price', async () => {
  await type(['tenant', 'price', lender, '--report', '700'])
  expect((await type(['caps', lender, '--report-hour', '699'])).complaints[0]).toContain(
    'at least the price of one, 700 credits',
  )
  expect((await type(['caps', lender, '--report-hour', '700'])).exitCode).toBe(0)
  await app().generate(liveRequest('Allow'), { token: lender })
})
