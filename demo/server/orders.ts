// The shop's record of each visitor's application. A real one would keep this in its database.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

const COOKIE = 'order'
const ORDERS_MAX = 1_000

type Order = {
  /** The checks begun for it: the visitor's phone shows their texts and no others. */
  creditReportIds: Set<string>
  /** The link that was sent for it. */
  link?: { linkId: string; url: string; sentAtMs: number }
}

export function createOrders() {
  const orders = new Map<string, Order>()
  const current = new AsyncLocalStorage<Order | undefined>()

  /** The id a request's cookie names, when there is such an order. */
  function find(request: Request): string | undefined {
    const [, id] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.get('Cookie') ?? '') ?? []
    return id !== undefined && orders.has(id) ? id : undefined
  }

  return {
    find,

    /** A new order; the answer is the cookie that names it. */
    begin(): string {
      const [oldest] = orders.keys()
      if (oldest !== undefined && orders.size >= ORDERS_MAX) orders.delete(oldest)
      const id = `order-${randomBytes(9).toString('base64url')}`
      orders.set(id, { creditReportIds: new Set() })
      return `${COOKIE}=${id}; Path=/; HttpOnly; SameSite=Lax`
    },

    /** Every event during a request belongs to its order. */
    during: <T>(request: Request, answer: () => T): T => current.run(orders.get(find(request) ?? ''), answer),

    noteReport: (creditReportId: string): void => void current.getStore()?.creditReportIds.add(creditReportId),

    /** The order of a request, as it stands. */
    read: (request: Request): Order | undefined => orders.get(find(request) ?? ''),
  }
}

export type Orders = ReturnType<typeof createOrders>
