import { expect, test } from 'vitest'
import { createWatched } from './watched.ts'

test('a listener hears the value now, and each that follows until it stops', () => {
  const heard: number[] = []
  const watched = createWatched(1)
  const stop = watched.subscribe((value) => heard.push(value))
  watched.value = 2
  watched.value = 2
  stop()
  watched.value = 3
  expect(heard).toEqual([1, 2])
  expect(watched.value).toBe(3)
})

test('a change made by a listener waits until the first has heard out, and reaches all', () => {
  const heard: string[] = []
  const watched = createWatched(1)
  watched.subscribe((value) => {
    heard.push(`begins ${value}`)
    if (value === 2) watched.value = 3
    heard.push(`ends ${value}`)
  })
  watched.subscribe((value) => heard.push(`other ${value}`))
  heard.length = 0
  watched.value = 2
  expect(heard).toEqual(['begins 2', 'ends 2', 'other 3', 'begins 3', 'ends 3', 'other 3'])
})

test('a listener that throws does not silence the next change', () => {
  const heard: number[] = []
  const watched = createWatched(1)
  watched.subscribe((value) => {
    heard.push(value)
    if (value === 2) throw new Error('of the listener')
  })
  expect(() => {
    watched.value = 2
  }).toThrow('of the listener')
  watched.value = 3
  expect(heard).toEqual([1, 2, 3])
})
