// What the shop knows about each visitor's application. A real one would keep this in its database.
import { randomBytes } from 'node:crypto'
import type { CreditReport } from '../../contract/credit-report.ts'
import { type Decision, decide } from '../shop/decide.ts'

const COOKIE = 'order'
const ORDERS_MAX = 1_000

export function createOrders() {
  const decisions = new Map<string, Decision | null>()

  function begin(): string {
    const [oldest] = decisions.keys()
    if (oldest !== undefined && decisions.size >= ORDERS_MAX) decisions.delete(oldest)
    const order = `order-${randomBytes(9).toString('base64url')}`
    decisions.set(order, null)
    return order
  }

  /** The order a request's cookie names, when there is one. */
  function find(request: Request): string | undefined {
    const [, order] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.get('Cookie') ?? '') ?? []
    return order !== undefined && decisions.has(order) ? order : undefined
  }

  return {
    find,
    begin: () => {
      const order = begin()
      return { order, setCookie: `${COOKIE}=${order}; Path=/; HttpOnly; SameSite=Lax` }
    },
    /** The lender's own copy arrives. It may arrive twice; the answer is the same. */
    takeReport(order: string | undefined, report: CreditReport): void {
      if (order !== undefined && decisions.has(order)) decisions.set(order, decide(report))
    },
    decisionOf: (order: string | undefined): Decision | null =>
      order === undefined ? null : (decisions.get(order) ?? null),
  }
}

export type Orders = ReturnType<typeof createOrders>
