// Servers that a worker starts once, when a test first needs them, and keeps until the end. Playwright ends a worker,
// and its browser and servers with it, before tests that know other worker fixtures; so all of them are declared here,
// and every spec's `test` comes from this one.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import type { EngineName } from '../scripts/ensure-engines.mjs'
import type { RunningEngine } from './engines/person.ts'
import { type Stage, startStage } from './fingerprint-pages/servers.ts'
import { type Lender, startLender } from './lender/processes.ts'
import { type Served, serveReportPage } from './report-pages/serve.ts'
import { START_LIMIT_MS, type Stack, startStack, stopStack } from './stack-process.ts'

export { expect } from '@playwright/test'

type Kept = {
  /** The demo, as `npm start` runs it. */
  stack: Stack
  /** A lender's server with the service behind it. */
  lender: Lender
  /** Reports that are ready. */
  served: Served
  /** Two origins for the fingerprint script. */
  stage: Stage
  /** Browsers of every engine that was needed so far. */
  running: Map<EngineName, Promise<RunningEngine>>
}

export const test = base.extend<object, Kept>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from its first argument
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'credit-report-stack-'))
      const { child, stack } = await startStack({ DATA_DIR: dataDir })
      await use(stack)
      await stopStack(child)
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: START_LIMIT_MS },
  ],
  lender: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const lender = await startLender()
      await use(lender)
      await lender.stop()
    },
    { scope: 'worker' },
  ],
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const served = await serveReportPage()
      await use(served)
      await served.close()
    },
    { scope: 'worker' },
  ],
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const stage = await startStage()
      await use(stage)
      await stage.stop()
    },
    { scope: 'worker' },
  ],
  running: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const running = new Map<EngineName, Promise<RunningEngine>>()
      await use(running)
      for (const engine of running.values()) await (await engine).stop()
    },
    { scope: 'worker' },
  ],
})
