// `npm run engines`: gets Firefox, WebKit and older Chromiums as far as this machine allows, then runs the consumer's journeys and the fingerprint script's
// hostile pages on every engine, and tools of others (Spectral, Prism, generated clients) on openapi.json, and a check in real Next and SvelteKit projects and on Bun, Deno and Cloudflare Workers; then the service behind pgbouncer and its alert rules with promtool, which it gets the same way. What follows the command goes to Playwright, for example `npm run engines -- -g webkit`.
import { spawnSync } from 'node:child_process'
import { buildIfStale } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { describeEngines, installEngines } from './ensure-engines.mjs'
import { installOperatorTools } from './ensure-operator-tools.mjs'
import { root } from './root.mjs'

// Asked for here: what is started below is told so too.
process.env.EVERY_ENGINE = '1'
await ensureBrowser()
const engines = await installEngines()
buildIfStale()
console.log(`npm run engines: ${describeEngines(engines)}`)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', 'e2e/engines', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
console.log(`npm run engines: ${describeEngines(engines)}`)
process.exitCode = status ?? 1

const tools = installOperatorTools()
const operating = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'service/store/pooler.test.ts', 'service/alerts.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
console.log(`npm run engines: ${tools}`)
if (operating.status !== 0) process.exitCode = 1
