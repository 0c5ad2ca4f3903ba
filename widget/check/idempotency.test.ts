// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { createKeyRing } from './idempotency.ts'

afterEach(() => sessionStorage.clear())

test('the same request keeps its key until it is settled', () => {
  const keys = createKeyRing('/a')
  const { key } = keys.keyFor('body')
  expect(keys.keyFor('body').key).toBe(key)
  keys.settle()
  expect(keys.keyFor('body').key).not.toBe(key)
})

test('another request gets another key', () => {
  const keys = createKeyRing('/a')
  expect(keys.keyFor('one').key).not.toBe(keys.keyFor('two').key)
})

test('a key survives a reload, and says so', () => {
  const { key } = createKeyRing('/a').keyFor('body')
  expect(createKeyRing('/a').keyFor('body')).toEqual({ key, isFromEarlierPage: true })
})

test('a settled one does not', () => {
  const keys = createKeyRing('/a')
  const { key } = keys.keyFor('body')
  keys.settle()
  expect(createKeyRing('/a').keyFor('body').key).not.toBe(key)
})

test('two endpoints do not share', () => {
  const { key } = createKeyRing('/a').keyFor('body')
  expect(createKeyRing('/b').keyFor('body').key).not.toBe(key)
})

test('nothing but the key is stored', () => {
  const { key } = createKeyRing('/a').keyFor('{"firstName":"Sam"}')
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
  expect(keys.keyFor('body').key).toBe(keys.keyFor('body').key)
})
