// A page of its own for the fingerprint script to meet, on the worker's two origins.
import { test as base } from '../worker.ts'
import type { Case } from './servers.ts'

export const test = base.extend<{ scene: Case }>({
  scene: async ({ stage }, use) => {
    stage.direct.asked.length = 0
    await use(stage.newCase())
  },
})
