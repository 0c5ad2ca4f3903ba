// docs/lender/errors.md explains every code that a lender can meet, and no other.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_STATUS, PROXY_ERROR_STATUS } from '../contract/error.ts'

const page = readFileSync('docs/lender/errors.md', 'utf8')
const [, served = '', own = ''] = page.split(/^## /m)
const rowsOf = (part: string) =>
  [...part.matchAll(/^\| `([\w-]+)` \|(?: (\d+) \|)?/gm)].map(([, code, status]) => [code, status])

test('every code of the proxy and the service, with its status', () => {
  const expected = Object.entries({ ...ERROR_STATUS, ...PROXY_ERROR_STATUS }).map(([code, status]) => [
    code,
    String(status),
  ])
  expect(rowsOf(served).toSorted()).toEqual(expected.toSorted())
})

test('every code of the element itself', () => {
  const source = readFileSync('widget/flow/fault.ts', 'utf8')
  const [, union = ''] = /export type OwnFaultCode =\n([\s\S]*?)\n\n/.exec(source) ?? []
  const codes = [...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(5)
  expect(
    rowsOf(own)
      .map(([code]) => code)
      .toSorted(),
  ).toEqual(codes.toSorted())
})
