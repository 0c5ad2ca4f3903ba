import { expect, test } from 'vitest'
import { createConsumerShare } from './consumer-share.ts'

function shared(limit: number) {
  let nowMs = 1_800_000_000_000
  const share = createConsumerShare({ clock: () => nowMs, limitOf: async () => limit })
  return {
    /** How many of so many checks were let through. */
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
  const share = createConsumerShare({ clock: () => nowMs, limitOf: async () => 20 })
  const ask = () => share({ tenantId: 'acme', ipAddress: '203.0.113.7' })
  await ask()
  nowMs = beganMs + 12_500
  await expect(ask()).rejects.toMatchObject({ code: 'rate-limited', headers: { 'Retry-After': '48' } })
  nowMs = beganMs + 59_999
  await expect(ask()).rejects.toMatchObject({ headers: { 'Retry-After': '1' } })
  nowMs = beganMs + 60_000
  await ask()
})
