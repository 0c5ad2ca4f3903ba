// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/preact'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Gradually } from './gradually.tsx'
import { type Page, PageContext } from './page.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] })
})
afterEach(() => {
  act(() => cleanup())
  frame()
  vi.useRealTimers()
})

const items = ['a', 'b', 'c']

function show(printing: boolean, lists = 1): Element {
  const page = { printing } as Page
  const { container } = render(
    <PageContext.Provider value={page}>
      {Array.from({ length: lists }, () => (
        <div>
          <Gradually items={items}>{(item) => <b>{item}</b>}</Gradually>
        </div>
      ))}
    </PageContext.Provider>,
  )
  return container
}

const frame = () =>
  act(() => {
    vi.advanceTimersToNextFrame()
    vi.advanceTimersByTime(1)
  })

test('an item after each frame, with a template where more is to come', () => {
  const container = show(false)
  const drawn = [container.textContent]
  for (let frames = 0; frames < 4; frames++) {
    expect(container.querySelectorAll('template')).toHaveLength(frames < 3 ? 1 : 0)
    frame()
    drawn.push(container.textContent)
  }
  expect(drawn).toEqual(['', 'a', 'ab', 'abc', 'abc'])
})

test('several lists: one item after each frame, whatever their number', () => {
  const container = show(false, 2)
  const counts: number[] = []
  for (let frames = 0; frames < 7; frames++) {
    frame()
    counts.push(container.querySelectorAll('b').length)
  }
  expect(counts).toEqual([1, 2, 3, 4, 5, 6, 6])
})

test('a list inside an item is drawn before the next item', () => {
  const { container } = render(
    <PageContext.Provider value={{ printing: false } as Page}>
      <Gradually items={[1, 2]}>
        {(group) => (
          <>
            <h2>{group}</h2>
            <Gradually items={items}>{(item) => <b>{item}</b>}</Gradually>
          </>
        )}
      </Gradually>
    </PageContext.Provider>,
  )
  const drawn: (string | null)[] = []
  for (let frames = 0; frames < 8; frames++) {
    frame()
    drawn.push(container.textContent)
  }
  expect(drawn).toEqual(['1', '1a', '1ab', '1abc', '1abc2', '1abc2a', '1abc2ab', '1abc2abc'])
})

test('a list that goes away gives up its turn', () => {
  const container = show(false)
  frame()
  act(() => cleanup())
  const other = show(false)
  frame()
  expect(other.textContent).toBe('a')
  expect(container.textContent).toBe('')
})

test('paper gets everything at once', () => {
  expect(show(true).textContent).toBe('abc')
})
