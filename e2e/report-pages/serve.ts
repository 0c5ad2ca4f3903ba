// Serves the report on a page of its own under the strictest policy a lender could have, so that every test also proves that policy.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

export const STRICT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export type Served = { origin: string; close: () => Promise<void> }

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the page and serves it on a free port. */
export async function serveReportPage(): Promise<Served> {
  const files: { [path: string]: [type: string, body: string] } = {
    '/': ['text/html', readFileSync(here('report-page.html'), 'utf8')],
    '/report-page.css': ['text/css', readFileSync(here('report-page.css'), 'utf8')],
    '/report-page.js': ['text/javascript', await bundle()],
  }
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://localhost').pathname]
    if (!file) return response.writeHead(404).end()
    response.writeHead(200, { 'Content-Type': `${file[0]}; charset=utf-8`, 'Content-Security-Policy': STRICT_POLICY })
    response.end(file[1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function bundle(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: here('../..'),
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: false,
      rolldownOptions: { input: here('../../widget/report/preview/page.tsx') },
    },
  })
  const outputs = [result].flat().flatMap((built) => ('output' in built ? built.output : []))
  const entry = outputs.find((output) => output.type === 'chunk')
  if (!entry) throw new Error('the report page built to nothing')
  return entry.code
}
