import { expect, test } from 'vitest'
import type { Allowance, RateLimiter } from '../../service/http/rate-limit.ts'
import { createRequestCounters } from './requests.ts'

function createLimiter(): RateLimiter {
  const counts = new Map<string, number>()
  return {
    async take(credential, limit): Promise<Allowance> {
      const used = (counts.get(credential) ?? 0) + 1
      counts.set(credential, used)
      return { allowed: used <= limit, limit, remaining: Math.max(0, limit - used), resetSeconds: 60 }
    },
  }
}

function createShare(clock: () => number, limit: number) {
  return createRequestCounters({ clock, limiter: createLimiter(), limitOf: async () => limit }).admit
}

function shared(limit: number) {
  let nowMs = 1_800_000_000_000
  const share = createShare(() => nowMs, limit)
  return {
    /** The number of so many checks that were admitted. */
    async count(times: number, addressOf: (index: number) => string, tenantId = 'acme') {
      let allowed = 0
      for (let index = 0; index < times; index += 1) {
        await share({ tenantId, ipAddress: addressOf(index) }).then(
          () => (allowed += 1),
          (error) => expect(error).toMatchObject({ code: 'rate-limited' }),
        )
      }
      return allowed
    },
    passMinute: () => (nowMs += 60_000),
  }
}

test.each<[string, (index: number) => string, number]>([
  ['one IPv4 address', () => '203.0.113.7', 30],
  ['one /64', (at) => `2001:db8:1:1::${at.toString(16)}`, 30],
  ['one /56', (at) => `2001:db8:1:${(0x100 + (at % 256)).toString(16)}::1`, 60],
  ['one /48', (at) => `2001:db8:1:${at.toString(16)}00::1`.replace(':000::', ':0::'), 120],
])('of 600 a minute, %s gets its share', async (_who, addressOf, allowed) => {
  expect(await shared(600).count(250, addressOf)).toBe(allowed)
})

test('others, other lenders and the next minute are not affected', async () => {
  const { count, passMinute } = shared(600)
  const flood = () => '203.0.113.7'
  expect(await count(100, flood)).toBe(30)
  expect(await count(5, () => '198.51.100.1')).toBe(5)
  expect(await count(5, flood, 'other')).toBe(5)
  passMinute()
  expect(await count(5, flood)).toBe(5)
})

test('however small the limit, everyone may ask once', async () => {
  expect(await shared(1).count(3, () => '203.0.113.7')).toBe(1)
})

test('a refusal says when the oldest check is a minute old', async () => {
  const beganMs = 1_800_000_000_000
  let nowMs = beganMs
  const share = createShare(() => nowMs, 20)
  const ask = () => share({ tenantId: 'acme', ipAddress: '203.0.113.7' })
  await ask()
  nowMs = beganMs + 12_500
  await expect(ask()).rejects.toMatchObject({ code: 'rate-limited', headers: { 'Retry-After': '48' } })
  nowMs = beganMs + 59_999
  await expect(ask()).rejects.toMatchObject({ headers: { 'Retry-After': '1' } })
  nowMs = beganMs + 60_000
  await ask()
})

const REPORTS = '/acme/v1/credit-reports'
const codesOf = (report: string) => `${REPORTS}/${report}/otp-challenge`
const textsOf = (report: string) => `${REPORTS}/${report}/resend-sms`

function counted(limit: number) {
  const time = { nowMs: 1_000_000 }
  const options = { clock: () => time.nowMs, limiter: createLimiter(), limitOf: async () => limit }
  const { count } = createRequestCounters(options)
  const take = async (times: number, path: string) => {
    let allowed = 0
    for (let at = 0; at < times; at += 1) if ((await count({ tenantId: 'acme', path }))?.allowed) allowed += 1
    return allowed
  }
  return { time, count, take }
}

test('only typed codes and further texts are counted here', async () => {
  const { count } = counted(3)
  for (const path of [REPORTS, `${REPORTS}/a`, '/acme/v1/wallet'])
    expect(await count({ tenantId: 'acme', path })).toBeNull()
})

test('tries at one report do not use up the codes of others', async () => {
  const { take } = counted(3)
  expect(await take(1_000, codesOf('a'))).toBe(20)
  expect(await take(9, codesOf('b'))).toBe(9)
  expect(await take(9, codesOf('c'))).toBe(1)
})

test('another text for a consumer who waits for one is counted with the codes', async () => {
  const { take } = counted(3)
  expect(await take(2, textsOf('a'))).toBe(2)
  expect(await take(9, codesOf('a'))).toBe(9)
  expect(await take(1_000, textsOf('b'))).toBe(19)
})

test('a lender with many requests may send more codes for one report: one in thirty of them', async () => {
  expect(await counted(100).take(1_000, codesOf('a'))).toBe(20)
  expect(await counted(900).take(1_000, codesOf('b'))).toBe(30)
})

test('codes for one report are free again after a minute, and the answer says when', async () => {
  const { time, count, take } = counted(30)
  const code = { tenantId: 'acme', path: codesOf('a') }
  // Of the lender's own: ten times its requests.
  expect(await count(code)).toEqual({ allowed: true, limit: 300, remaining: 299, resetSeconds: 60 })
  expect(await take(30, code.path)).toBe(19)
  time.nowMs += 59_000
  expect(await count(code)).toEqual({ allowed: false, limit: 20, remaining: 0, resetSeconds: 1 })
  time.nowMs += 1_000
  expect(await count(code)).toMatchObject({ allowed: true })
})
