// @vitest-environment node
import { expect, test } from 'vitest'
import { asFactory } from './borrowing.ts'

async function create(chunk: string, lent: unknown[]): Promise<unknown> {
  const made = await import(`data:text/javascript,${encodeURIComponent(asFactory(chunk))}`)
  return made.create(lent)
}

test.each([
  ['some of the list', 'var e=borrow(0),t=borrow(2),n=e+t+3;exports.sum=n;', { sum: 24 }],
  ['its last thing alone', 'var e=borrow(2);function t(){return e}exports.last=t;', { last: expect.any(Function) }],
  ['nothing', 'var e=[1],t=2;exports.list=e,exports.two=t;', { list: [1], two: 2 }],
])('a chunk that borrows %s', async (_what, chunk, expected) => {
  expect(await create(chunk, [1, 10, 20])).toEqual(expected)
})
