// Both packages as the tools of others judge them: publint on what package.json promises, attw on the types.
import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { test } from '@playwright/test'
import { fetchPeers } from '../../scripts/fetch-peers.mjs'

const TOOLS = ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']
const LIMIT_MS = 300_000
const tools = process.env.EVERY_ENGINE === '1' ? fetchPeers('package-tools', TOOLS) : null

test.describe.configure({ timeout: LIMIT_MS })

for (const name of tools === null ? [] : ['credit-report-widget', 'credit-report-service']) {
  const run = (tool: string, ...args: string[]) =>
    execFileSync(resolve(join(tools ?? '', '.bin', tool)), args, { stdio: 'inherit', timeout: LIMIT_MS })

  test(`${name}: publint finds nothing`, () => {
    run('publint', 'run', `packages/${name}`, '--strict')
  })

  // ESM alone is promised, and no entry of `node10` resolution. `device.js` is a browser's, and is never imported.
  test(`${name}: its types resolve as they are imported`, () => {
    run('attw', '--pack', `packages/${name}`, '--profile', 'esm-only', '--exclude-entrypoints', 'device.js')
  })
}
