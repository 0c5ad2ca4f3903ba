import { expect, test } from 'vitest'
import { createOrders } from './orders.ts'

const visit = (cookie = '') => new Request('http://shop/', { headers: { Cookie: cookie } })
const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? ''

test('a cookie finds its order; a made-up one finds nothing', () => {
  const orders = createOrders()
  const cookie = cookieOf(orders.begin())
  expect(orders.find(visit(`other=1; ${cookie}`))).toBe(cookie.split('=')[1])
  expect(orders.find(visit('order=order-made-up'))).toBeUndefined()
  expect(orders.read(visit())).toBeUndefined()
})

test('a check belongs to the order whose request began it, even with two at once', async () => {
  const orders = createOrders()
  const cookies = [cookieOf(orders.begin()), cookieOf(orders.begin())]
  await Promise.all(
    cookies.map((cookie, index) =>
      orders.during(visit(cookie), async () => {
        await new Promise(setImmediate)
        orders.noteReport(`report-${index}`)
      }),
    ),
  )
  expect(cookies.map((cookie) => [...(orders.read(visit(cookie))?.creditReportIds ?? [])])).toEqual([
    ['report-0'],
    ['report-1'],
  ])
})

test('a cookie cannot be read by scripts or sent by other sites', () => {
  expect(createOrders().begin()).toMatch(/; HttpOnly; SameSite=Lax$/)
})
