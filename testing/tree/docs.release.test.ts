// Every script of README.md and docs/, type-checked against the built package.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startThrowawayPostgres } from '../throwaway-postgres.ts'
import { blocksIn, SCRIPTS } from './docs-blocks.ts'

// In the repository, so that packages are found as in a lender's project.
const FOLDER = resolve('node_modules/.cache/docs-blocks')
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** The names that a block may take from the page around it. */
const AROUND = `
import type { Prefill } from 'credit-report-widget'
import type { TenantProxy, TenantProxyOptions } from 'credit-report-widget/tenant-proxy'
declare global {
  const options: TenantProxyOptions
  const proxy: TenantProxy
  const request: Request
  const rawBody: string
  const firstName: string
  const Bun: { serve(options: { port: unknown; fetch(request: Request, server: { requestIP(request: Request): { address: string } | null }): unknown }): void }
  const Deno: { serve(options: { port: number }, handle: (request: Request, about: { remoteAddr: { hostname: string } }) => unknown): void }
}
`
/** The lender's own file with the proxy, as the frameworks name it. */
const MODULES = ['*/lib/credit-report-proxy.mjs', '#lib/server/credit-report-proxy.js'].map(
  (name) => `declare module '${name}' { export const proxy: import('credit-report-widget/tenant-proxy').TenantProxy }`,
)

/** Not installed here; an example names it. */
MODULES.push(`declare module 'koa'`)

test('scripts: names, options and shapes are those of the package', () => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  cpSync('docs/examples/credit-report-proxy.mjs', join(FOLDER, 'credit-report-proxy.mjs'))
  cpSync('docs/examples/addresses', FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, 'around.d.ts'), AROUND)
  writeFileSync(join(FOLDER, 'modules.d.ts'), MODULES.join('\n'))
  const scripts = blocksIn(...Object.keys(SCRIPTS)).map(({ where, language, code }, index) => {
    const name = `block-${index}.${SCRIPTS[language as keyof typeof SCRIPTS]}`
    // The repository's own files are named from its root.
    writeFileSync(join(FOLDER, name), `${code.replace(`'./demo/`, `'../../../demo/`)}\nexport {}\n`)
    return { where, name }
  })
  const compilerOptions = {
    ...{
      noEmit: true,
      allowJs: true,
      checkJs: true,
      strict: false,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: ['node'] },
    ...{ jsx: 'react-jsx', jsxImportSource: 'preact' },
  }
  const files = [
    'around.d.ts',
    'modules.d.ts',
    ...scripts.map(({ name }) => name),
    resolve('packages/credit-report-widget/dist/types/preact.d.ts'),
  ]
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], {
    cwd: FOLDER,
    encoding: 'utf8',
  })
  const complaints = stdout.split('\n').filter((line) => /^(?:block-|around|error)/.test(line))
  const named = complaints.map((line) => `${scripts.find(({ name }) => line.startsWith(`${name}(`))?.where}: ${line}`)
  expect(named).toEqual([])
})

test('SQL: PostgreSQL takes it', async () => {
  const server = await startThrowawayPostgres()
  const client = new pg.Client(await server.createDatabase())
  try {
    await client.connect()
    // One statement at a time: a database is not created inside a transaction.
    for (const statement of blocksIn('sql').flatMap(({ code }) => code.split(/;\n/))) await client.query(statement)
  } finally {
    await client.end()
    await server.stop()
  }
})
