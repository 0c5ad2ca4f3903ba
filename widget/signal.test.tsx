// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/preact'
import { useLayoutEffect } from 'preact/hooks'
import { afterEach, expect, test } from 'vitest'
import { type Signal, signal, useSignal, useValue } from './signal.ts'

afterEach(cleanup)

test('a listener hears of every change, of nothing else, and of nothing once it has stopped', () => {
  const source = signal(1)
  const heard: number[] = []
  const stop = source.subscribe(() => heard.push(source.value))
  source.value = 2
  source.value = 2
  source.value = 3
  stop()
  source.value = 4
  expect(heard).toEqual([2, 3])
})

test('a change made by a listener reaches everybody after the one it answers', () => {
  const source = signal('a')
  const heard: string[] = []
  source.subscribe(() => {
    heard.push(`first ${source.value}`)
    if (source.value === 'b') source.value = 'c'
    heard.push('first is done')
  })
  source.subscribe(() => heard.push(`second ${source.value}`))
  source.value = 'b'
  expect(heard).toEqual(['first b', 'first is done', 'second c', 'first c', 'first is done', 'second c'])
})

test('a listener that throws does not silence the changes after', () => {
  const source = signal(0)
  const stop = source.subscribe(() => {
    throw new Error('broken')
  })
  expect(() => {
    source.value = 1
  }).toThrow('broken')
  stop()
  let heard = 0
  source.subscribe(() => {
    heard = source.value
  })
  source.value = 2
  expect(heard).toBe(2)
})

test('a component shows the value as it is, also when it holds a function or a child changes it at once', async () => {
  const source = signal<() => string>(() => 'one')
  const Child = () => {
    useLayoutEffect(() => {
      source.value = () => 'two'
    }, [])
    return null
  }
  const Parent = () => (
    <>
      {useValue(source)()}
      <Child />
    </>
  )
  const { container, unmount } = render(<Parent />)
  await act(() => undefined)
  expect(container.textContent).toBe('two')
  await act(() => {
    source.value = () => 'three'
  })
  expect(container.textContent).toBe('three')
  unmount()
})

test('a component’s own signal lives as long as the component', async () => {
  const seen = new Set<Signal<number>>()
  const Counter = () => {
    const count = useSignal(0)
    seen.add(count)
    return <p>{count.value}</p>
  }
  const { container } = render(<Counter />)
  const [count] = seen
  await act(() => {
    if (count) count.value = 5
  })
  expect(container.textContent).toBe('5')
  expect(seen.size).toBe(1)
})
