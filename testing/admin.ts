// Test support: every command an operator has, run in this process.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../kit/setting-reader.ts'
import { runAdmin } from '../plugins/admin/run-admin.ts'
import { everyCommand, everyMoment } from '../portal/commands.ts'
import { ALL_TABLES } from './open-database.ts'
import { createTestApp, TEST_SECRET_KEY, type TestApp } from './test-app.ts'

/** `ask`: a terminal. */
export async function runTestAdmin(
  environment: Environment,
  words: readonly string[],
  ask?: (question: string) => Promise<string>,
) {
  const printed: string[] = []
  const complaints: string[] = []
  const exitCode = await runAdmin(words, {
    commands: everyCommand,
    tables: ALL_TABLES,
    plugins: everyMoment,
    environment,
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    ...(ask ? { ask } : {}),
  })
  return { exitCode, printed, complaints }
}

type Operator = {
  folder: string
  /** The service that runs beside the commands and owns the folder. */
  app(): TestApp
  type(words: readonly string[], ask?: (question: string) => Promise<string>): ReturnType<typeof runTestAdmin>
}

/** A service for the tests of a file, and commands on its database. */
export function operateTestService(): Operator {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'))
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ dataDir: folder })
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const environment = { DATA_DIR: folder, SECRET_KEY: TEST_SECRET_KEY }
  return { folder, app: () => app, type: (words, ask) => runTestAdmin(environment, words, ask) }
}
