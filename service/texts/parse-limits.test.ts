import { expect, test } from 'vitest'
import { TEXT_LIMITS } from './limits.ts'
import { parseLimits } from './parse-limits.ts'

const without = (...traits: string[]) => TEXT_LIMITS.filter(({ same }) => !traits.includes(same))

test('what is named is replaced, the rest stays', () => {
  expect(parseLimits('tenant=120/1m,20000/24h number=3/10m')).toEqual([
    ...without('tenant', 'number'),
    { same: 'tenant', max: 120, windowMs: 60_000 },
    { same: 'tenant', max: 20_000, windowMs: 86_400_000 },
    { same: 'number', max: 3, windowMs: 600_000 },
  ])
})

test('a limit of nothing stops such texts altogether', () => {
  expect(parseLimits('tenant=0/24h')).toContainEqual({ same: 'tenant', max: 0, windowMs: 86_400_000 })
})

test.each([
  '',
  'tenant',
  'tenant=',
  'nobody=1/1m',
  'tenant=1',
  'tenant=1/1s',
  'tenant=1/0m',
  'tenant=1/25h',
  'tenant=-1/1m',
  'tenant=1/1m,',
  'tenant=1/1m=2',
])('%j makes no sense', (text) => {
  expect(parseLimits(text)).toBeNull()
})
