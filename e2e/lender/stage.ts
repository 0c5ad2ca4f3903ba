// A consumer on a page of the worker's lender.
import { type Consumer, createConsumer } from '../widget-pages/stage.ts'
import { test as base, expect } from '../worker.ts'
import type { Front } from './web-server.ts'

export { expect }

export const test = base.extend<{ front: Front; consumer: Consumer }>({
  front: async ({ lender: { front } }, use) => {
    front.seen.length = 0
    await use(front)
    front.disturb = front.disturbBeside = () => undefined
    front.keepsCookies = true
  },
  consumer: async ({ page, front, lender: { fingerprint } }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await use(createConsumer(page, { page: (options) => front.page({ fingerprint, ...options }) }))
    expect(errors).toEqual([])
  },
})
