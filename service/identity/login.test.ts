// Signing in, from the outside: a browser with cookies, and the whole service behind it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { prepareScript } from '../devices/script.ts'
import { createSilentLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { openDatabase } from '../store/open-database.ts'
import { createTestBrowser, type TestBrowser } from './test-browser.ts'

const origin = 'https://service.example'
const folder = mkdtempSync(join(tmpdir(), 'login-'))
const START_MS = Date.now()
const time = { nowMs: START_MS }
const SAM = ['sam@demo-lender.example', 'demo-password'] as const
let database: Database
let app: App
let browser: TestBrowser

beforeAll(async () => {
  const config = readConfig({
    DEMO: '1',
    DATA_DIR: folder,
    SECRET_KEY: 'a secret key for tests that is long enough',
    RATE_LIMIT_PER_MINUTE: '100000',
    PUBLIC_URL: origin,
  })
  database = await openDatabase(config)
  const script = prepareScript('/* the fingerprint script */')
  app = await createApp({ config, database, log: createSilentLog(), clock: () => time.nowMs, script })
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  time.nowMs = START_MS
  await database.run('DELETE FROM guess')
  browser = newBrowser()
})

const newBrowser = () => createTestBrowser((request) => app.fetch(request), origin)

describe('signing in', () => {
  test('leads from the login address over the pages to where one wanted to go', async () => {
    const { response, url, text } = await browser.signIn(...SAM)
    expect(response.status).toBe(200)
    expect(url.pathname).toBe('/v1/my/profile')
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      firstName: 'Sam',
      lastName: 'Lee',
      email: 'sam@demo-lender.example',
      totpEnabled: false,
      createdAt: new Date(START_MS).toISOString(),
    })
  })
})
