import { expect, test } from 'vitest'
import { pageOf } from './rows.ts'

test.each<[string, number[], { rows: number[]; last: number | undefined }]>([
  ['nothing was found', [], { rows: [], last: undefined }],
  ['fewer than a page are the last page', [1, 2], { rows: [1, 2], last: undefined }],
  ['exactly a page is the last page', [1, 2, 3], { rows: [1, 2, 3], last: undefined }],
  ['one more says where the next page begins, and is not shown', [1, 2, 3, 4], { rows: [1, 2, 3], last: 3 }],
])('%s', (_what, found, page) => {
  expect(pageOf(found, 3)).toEqual(page)
})
