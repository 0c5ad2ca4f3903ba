import { expect, test } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

test('the oldest goes when there are too many, and setting makes young again', () => {
  const map = createBoundedMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  expect([map.get('a'), map.get('b')]).toEqual([3, 2])
  map.set('c', 4)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
})

test('what is deleted makes room', () => {
  const map = createBoundedMap<number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.delete('b')
  expect(map.get('b')).toBeUndefined()
  map.set('c', 3)
  expect([map.get('a'), map.get('c')]).toEqual([1, 3])
})
