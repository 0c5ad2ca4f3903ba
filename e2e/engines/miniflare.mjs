// Cloudflare's runtime around docs/examples/worker.mjs, bundled as a lender's deploy does it, with the widget's files
// as static assets.
import { cpSync } from 'node:fs'
import { Miniflare } from 'miniflare'
import { build } from 'rolldown'

const worker = { input: 'worker.mjs', external: [/^node:/], logLevel: 'silent' }
await build({ ...worker, output: { file: 'built.mjs', format: 'esm' } })
cpSync('node_modules/credit-report-widget/dist/widget', 'assets/credit-reports', { recursive: true })
const { CREDIT_SERVICE_URL, CLIENT_ID, CLIENT_SECRET, PORT } = process.env
const miniflare = new Miniflare({
  modules: true,
  scriptPath: 'built.mjs',
  compatibilityDate: '2026-01-01',
  compatibilityFlags: ['nodejs_compat'],
  port: Number(PORT),
  assets: { directory: 'assets', routerConfig: { has_user_worker: true } },
  bindings: { CREDIT_SERVICE_URL, CLIENT_ID, CLIENT_SECRET },
})
await miniflare.ready
