// Browser tests run against built files and real servers. `npm test` finds the browser first
// (scripts/ensure-browser.mjs).
import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { browserLaunchOptions } from './scripts/ensure-browser.mjs'
import { stopUnlessReady } from './scripts/ensure-ready.mjs'

stopUnlessReady()

// The tests that run (scripts/test.mjs): `edit`, `release`, or every one that is named.
const RELEASE = ['**/*.release.spec.ts', '**/engines/*.spec.ts']
const MATCH = process.env.PICTURES ? '**/*.pictures.ts' : process.env.TEST_TIER === 'release' ? RELEASE : '**/*.spec.ts'

export default defineConfig({
  testDir: 'e2e',
  // `npm run screenshots` takes pictures with the same consumer.
  testMatch: MATCH,
  testIgnore: process.env.TEST_TIER === 'edit' ? ['**/*.release.spec.ts', '**/engines/**'] : [],
  // These end a test that hangs; no test fails because the machine is slow.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  fullyParallel: true,
  // Tests wait for processes and pages about as long as they work.
  workers: Math.max(3, availableParallelism()),
  forbidOnly: true,
  // One more try, because browsers on a busy machine have bad moments. A test that needs it is listed as flaky, and is
  // a bug.
  retries: 1,
  reporter: [['list']],
  use: {
    launchOptions: browserLaunchOptions(),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Frames of an animation take a third of a browser's time here. The engines' journeys and the tests of motion ask
    // for it.
    contextOptions: { reducedMotion: 'reduce' },
    // Recording every test costs more than some of them do. To see one that fails: `--trace on`.
    trace: 'on-first-retry',
    video: 'off',
  },
})
