// Browser tests run against built files and real servers. `npm test` finds the browser first (scripts/ensure-browser.mjs).
import { defineConfig } from '@playwright/test'
import { browserLaunchOptions } from './scripts/ensure-browser.mjs'
import { stopUnlessReady } from './scripts/ensure-ready.mjs'

stopUnlessReady()

export default defineConfig({
  testDir: 'e2e',
  // `npm run screenshots` takes pictures with the same consumer.
  testMatch: process.env.PICTURES ? '**/*.pictures.ts' : '**/*.spec.ts',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  // One more try, because browsers on a busy machine have bad moments. A test that needs it is listed as flaky, and is a bug.
  retries: 1,
  reporter: [['list']],
  use: {
    launchOptions: browserLaunchOptions(),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Recording every test costs more than some of them do. To see one that fails: `--trace on`.
    trace: 'on-first-retry',
    video: 'off',
  },
})
