// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { createKeyRing } from './idempotency.ts'

afterEach(() => sessionStorage.clear())

test('the same request keeps its key until it is settled', () => {
  const keys = createKeyRing('/a')
  const key = keys.keyFor('check')
  expect(keys.keyFor('check')).toBe(key)
  keys.settle()
  expect(keys.keyFor('check')).not.toBe(key)
})

test('another request gets another key', () => {
  const keys = createKeyRing('/a')
  expect(keys.keyFor('one')).not.toBe(keys.keyFor('two'))
})

test('a key survives a reload', () => {
  const key = createKeyRing('/a').keyFor('check')
  expect(createKeyRing('/a').keyFor('check')).toBe(key)
})

test('a settled one does not', () => {
  const keys = createKeyRing('/a')
  const key = keys.keyFor('check')
  keys.settle()
  expect(createKeyRing('/a').keyFor('check')).not.toBe(key)
})

test('two endpoints do not share', () => {
  const key = createKeyRing('/a').keyFor('check')
  expect(createKeyRing('/b').keyFor('check')).not.toBe(key)
})

test('nothing but the key is stored', () => {
  const key = createKeyRing('/a').keyFor('check')
  expect(Object.values({ ...sessionStorage })).toEqual([key])
})

test('a browser that refuses storage still repeats safely', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('refused')
  })
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('refused')
  })
  const keys = createKeyRing('/a')
  expect(keys.keyFor('check')).toBe(keys.keyFor('check'))
})
