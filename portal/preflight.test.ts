// Production after a demo, as an operator meets it: at the start and when asking beforehand.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPreflightCommand } from '../plugins/admin/preflight.ts'
import { serviceChecks } from '../plugins/admin/production-checks.ts'
import { runAdmin } from '../plugins/admin/run-admin.ts'
import { readConfig } from '../plugins/settings.ts'
import { createSilentLog } from '../service/log.ts'
import { ALL_TABLES } from '../testing/open-database.ts'
import { createTestApp } from '../testing/test-app.ts'
import { everyMoment } from './commands.ts'
import { portalChecks } from './preflight.ts'
import { startWithPortal } from './start.ts'

const folder = mkdtempSync(join(tmpdir(), 'preflight-'))
const environment = {
  NODE_ENV: 'production',
  DATA_DIR: folder,
  PORT: '0',
  SECRET_KEY: 'pUbRk3ZQ0mN7xw2VtJ5sY9cHfE1aLgDo',
  PUBLIC_URL: 'https://service.example',
  TRUSTED_HOPS: '1',
  ALLOW_SIMULATED: 'risk,bureau,sms',
}

// The data that one run of the demo leaves behind.
beforeAll(async () => {
  const demo = await createTestApp({ dataDir: folder, environment: { SECRET_KEY: environment.SECRET_KEY } })
  await demo.database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const LEFT_BEHIND = [
  /the demo’s client "demo-lender"/,
  /the demo’s client "empty-lender"/,
  /the demo’s client "other-lender"/,
  /the demo’s user sam@demo-lender\.example.*"user remove"/,
]

test('the service does not start, and says why in a line each', async () => {
  const start = startWithPortal({ config: readConfig(environment), log: createSilentLog(), environment })
  const message = await start.then(
    () => 'it started',
    (error: Error) => error.message,
  )
  for (const line of LEFT_BEHIND) expect(message).toMatch(line)
})

async function preflight(changed: object = {}) {
  const printed: string[] = []
  const exitCode = await runAdmin(['preflight'], {
    commands: [createPreflightCommand([...serviceChecks, ...portalChecks])],
    tables: ALL_TABLES,
    plugins: everyMoment,
    environment: { ...environment, ...changed },
    print: (line) => printed.push(line),
    complain: (line) => printed.push(line),
  })
  return { exitCode, printed }
}

test('on the first day, before there is a database, "admin -- preflight" asks the settings', async () => {
  const none = { DATA_DIR: join(folder, 'none') }
  expect(await preflight(none)).toEqual({
    exitCode: 0,
    printed: ['fit for production; there is no database yet'],
  })
  const { exitCode, printed } = await preflight({ ...none, TRUSTED_HOPS: '0' })
  expect(exitCode).toBe(1)
  expect(printed).toEqual([expect.stringContaining('TRUSTED_HOPS')])
  expect(existsSync(none.DATA_DIR)).toBe(false)
})

test('"admin -- preflight" says the same, with exit code 1', async () => {
  const { exitCode, printed } = await preflight()
  expect(exitCode).toBe(1)
  expect(printed).toHaveLength(LEFT_BEHIND.length)
  for (const line of LEFT_BEHIND) expect(printed.join('\n')).toMatch(line)
})
