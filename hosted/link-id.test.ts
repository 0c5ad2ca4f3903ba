import { expect, test } from 'vitest'
import { newId } from '../kit/new-id.ts'
import { isLinkId, newLinkId } from './link-id.ts'

test('no other request id looks like that of a link', () => {
  const nowMs = Date.UTC(2027, 0, 1)
  expect(isLinkId(newLinkId(nowMs))).toBe(true)
  const others = [null, newId(nowMs), crypto.randomUUID(), 'a-request-8', '', newLinkId(nowMs).toUpperCase()]
  expect(others.filter(isLinkId)).toEqual([])
})
