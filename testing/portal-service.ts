// Test support: the whole service with its own tokens, reached by browsers that keep cookies.
import { scryptSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEMO_TENANTS } from '../demo/service/seed.ts'
import { readConfig } from '../plugins/settings.ts'
import type { PortalOptions } from '../portal/portal.ts'
import { prepareScript } from '../service/devices/script.ts'
import { createSilentLog, type Log } from '../service/log.ts'
import { createApp } from './create-app.ts'
import { openTestDatabase } from './open-database.ts'
import { createTestBrowser } from './service-browser.ts'

export const ORIGIN = 'https://service.example'
export const SAM = ['sam@demo-lender.example', 'demo-password'] as const
/** Sam's password at a fraction of the cost: these tests are about other things. */
const QUICK_HASH = quickHash(SAM[1])

function quickHash(password: string): string {
  const salt = Buffer.alloc(16, 1)
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 })
  return `scrypt$16$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

export type TestService = Awaited<ReturnType<typeof startTestService>>

export async function startTestService(
  environment: { [name: string]: string } = {},
  portal: Partial<PortalOptions> = {},
  log: Log = createSilentLog(),
) {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'))
  // openid-client has a clock of its own, so ours begins with it.
  const time = { nowMs: Date.now() }
  const config = readConfig({
    DEMO: '1',
    DATA_DIR: folder,
    SECRET_KEY: 'a secret key for tests that is long enough',
    RATE_LIMIT_PER_MINUTE: '10000000',
    PUBLIC_URL: ORIGIN,
    // A slow machine is no failure.
    DATABASE_TIMEOUT_MS: '60000',
    ...environment,
  })
  const database = await openTestDatabase(config)
  const script = prepareScript('/* the fingerprint script */')
  const app = await createApp({
    config,
    database,
    log,
    clock: () => time.nowMs,
    script,
    portal: { publicClients: DEMO_TENANTS, ...portal },
    shop: environment.DEMO_SHOP_URL,
  })
  await database.run('UPDATE user_account SET password_hash = ?', QUICK_HASH)

  async function tokenOf(clientId: string, secret: string): Promise<string> {
    const response = await app.fetch(
      new Request(`${ORIGIN}/v1/oauth/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&client_id=${clientId}&client_secret=${secret}`,
      }),
    )
    return (await response.json()).access_token
  }

  /** A check of one of the demo's lenders, asked for by its server. */
  async function generate(request: object, lender = 'demo'): Promise<Response> {
    const token = await tokenOf(`${lender}-lender`, `${lender}-secret`)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const url = `${ORIGIN}/${lender}-lender/v1/credit-reports`
    return app.fetch(new Request(url, { method: 'POST', headers, body: JSON.stringify(request) }))
  }

  return {
    ...app,
    config,
    database,
    time,
    browser: () => createTestBrowser((request) => app.fetch(request), ORIGIN),
    tokenOf,
    generate,
    async stop() {
      await database.close()
      rmSync(folder, { recursive: true })
    },
  }
}
