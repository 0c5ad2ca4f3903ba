// The demo's shop and preview: paths are relative to the shop of the worker's stack.
import { test as base } from './worker.ts'

export { expect } from './worker.ts'

export const test = base.extend({
  baseURL: async ({ stack }, use) => use(stack.shop),
})
