// Test support: the whole service with its own tokens, reached by browsers that keep cookies.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { prepareScript } from '../devices/script.ts'
import { createSilentLog } from '../log.ts'
import { openDatabase } from '../store/open-database.ts'
import { createTestBrowser } from './test-browser.ts'

export const ORIGIN = 'https://service.example'
export const SAM = ['sam@demo-lender.example', 'demo-password'] as const
export type TestService = Awaited<ReturnType<typeof startTestService>>

export async function startTestService(environment: { [name: string]: string } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'))
  // The provider's library has a clock of its own, so ours begins with it.
  const time = { nowMs: Date.now() }
  const config = readConfig({
    DEMO: '1',
    DATA_DIR: folder,
    SECRET_KEY: 'a secret key for tests that is long enough',
    RATE_LIMIT_PER_MINUTE: '10000000',
    PUBLIC_URL: ORIGIN,
    ...environment,
  })
  const database = await openDatabase(config)
  const script = prepareScript('/* the fingerprint script */')
  const app = await createApp({ config, database, log: createSilentLog(), clock: () => time.nowMs, script })

  return {
    ...app,
    config,
    database,
    time,
    browser: () => createTestBrowser((request) => app.fetch(request), ORIGIN),
    async tokenOf(clientId: string, secret: string): Promise<string> {
      const response = await app.fetch(
        new Request(`${ORIGIN}/v1/oauth/token`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${secret}`,
        }),
      )
      return (await response.json()).access_token
    },
    async stop() {
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}
