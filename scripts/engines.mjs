// `npm run engines`: gets Firefox, WebKit and older Chromiums as far as this machine allows, then runs the consumer's
// journeys and the fingerprint script's hostile pages on every engine, and tools of others (Spectral, Prism, generated
// clients) on openapi.json, and a check in a real project of each framework in its newest release and on Bun, Deno and
// Cloudflare Workers; then the service behind pgbouncer and its alert rules with promtool, which it gets the same way;
// then the servers on every Node that is promised. Arguments after the command go to Playwright, for example `npm run
// engines -- -g webkit`, and then nothing else runs.
import { spawnSync } from 'node:child_process'
import { buildIfStale } from './build.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { describeEngines, installEngines } from './ensure-engines.mjs'
import { fetchNodes } from './node-versions.mjs'
import { root } from './root.mjs'

const SERVERS = ['contract', 'openapi', 'kit', 'tenant-proxy', 'service', 'portal', '--reporter=dot', '--no-color']
// Both packages installed and used, and a whole check with service, proxy and browser.
const PACKAGES = ['e2e/packages.release.spec.ts', 'e2e/interface.spec.ts', 'e2e/demo-journeys.spec.ts']

// The processes started below read it too.
process.env.EVERY_ENGINE = '1'
await ensureBrowser()
const engines = await installEngines()
// Vite, which that used, sets it to `development`, and the tests would run in that.
delete process.env.NODE_ENV
// With the types and what the packages are made of: they are installed and used below.
buildIfStale({ types: true })
console.log(`npm run engines: ${describeEngines(engines)}`)
const only = process.argv.slice(2)
run('journeys', ['node_modules/@playwright/test/cli.js', 'test', 'e2e/engines', ...only])
console.log(`npm run engines: ${describeEngines(engines)}`)
if (only.length === 0) {
  for (const { version, path } of fetchNodes()) {
    run(`Node ${version}, servers`, ['node_modules/vitest/vitest.mjs', 'run', ...SERVERS], path)
    run(`Node ${version}, packages`, ['node_modules/@playwright/test/cli.js', 'test', ...PACKAGES], path)
  }
}

function run(name, args, node = process.execPath) {
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit' })
  console.log(`npm run engines: ${name} ${status === 0 ? 'passed' : 'failed'}`)
  if (status !== 0) process.exitCode = 1
}
