// The real thing, one for each worker: the built service and the built proxy in processes of their own, and a front with the pages.
import { createHash } from 'node:crypto'
import { test as base, expect } from '@playwright/test'
import { type Program, startProgram } from '../program.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { type Consumer, createConsumer } from '../widget-pages/stage.ts'
import { type Front, startFront } from './web-server.ts'

export { expect }

export type Lender = {
  service: ServiceProcess
  proxy: Program
  front: Front
  /** The fingerprint script's tag for a page, and the hash of the script. */
  fingerprint: string
  fingerprintIntegrity: string
}

export const test = base.extend<{ front: Front; consumer: Consumer }, { lender: Lender }>({
  lender: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its first argument
    async ({}, use) => {
      const service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' })
      const proxy = await startProgram({
        script: 'e2e/lender/lender.mjs',
        env: { SERVICE_URL: service.url },
        address: /lender: (http:\S+)/,
      })
      const front = await startFront(proxy.url)
      const device = `${service.url}/v1/fingerprints/device`
      const digest = createHash('sha384')
        .update(await (await fetch(device)).text())
        .digest('base64')
      await use({
        service,
        proxy,
        front,
        fingerprint: `<script async src="${device}"></script>`,
        fingerprintIntegrity: `sha384-${digest}`,
      })
      await front.close()
      await proxy.end()
      await service.stop()
    },
    { scope: 'worker' },
  ],
  front: async ({ lender: { front } }, use) => {
    front.seen.length = 0
    await use(front)
    front.disturb = () => undefined
  },
  consumer: async ({ page, front, lender: { fingerprint } }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await use(createConsumer(page, { page: (options) => front.page({ fingerprint, ...options }) }))
    expect(errors).toEqual([])
  },
})
