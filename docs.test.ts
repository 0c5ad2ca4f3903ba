// Every code block of README.md, docs/ and the packages' READMEs: scripts are type-checked against the built package, commands exist with their options, markup uses what
// the element has, and what another test runs is, word for word, what that test runs.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Script } from 'node:vm'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { portalCommands } from './portal/admin.ts'
import { readArguments } from './service/admin/command.ts'
import { createKeyCommands } from './service/admin/keys.ts'
import { createPreflightCommand } from './service/admin/preflight.ts'
import { serviceCommands } from './service/admin/run-admin.ts'
import { startThrowawayPostgres } from './testing/throwaway-postgres.ts'

type Block = { where: string; language: string; code: string }

const pages = [
  'README.md',
  ...['docs', 'packages'].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`)),
].filter((name) => name.endsWith('.md'))
const blocks: Block[] = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\S*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', code = ''], index) => ({
      where: `${page} block ${index + 1}`,
      language,
      code,
    }),
  ),
)
const blocksIn = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language))

const SCRIPTS = { js: 'mjs', jsx: 'jsx', ts: 'ts' } as const
const MARKUP = ['html', 'jsx', 'vue', 'svelte']
/** `ini` is pgbouncer's and `nginx` nginx's: `npm run engines` starts the first, tenant-proxy/any-server.release.test.ts has the second. */
const CHECKED = [...Object.keys(SCRIPTS), ...MARKUP, 'sh', 'json', 'sql', 'nginx', 'ini', 'text']

test('every block says what it is, and it is something that is checked here', () => {
  expect(blocks.length).toBeGreaterThan(50)
  expect(blocks.filter(({ language }) => !CHECKED.includes(language)).map(({ where }) => where)).toEqual([])
})

// In the repository, so that packages are found as in a lender's project.
const FOLDER = resolve('node_modules/.cache/docs-blocks')
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** What a block may take from the page around it. */
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

test.each(blocksIn('json'))('$where is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow()
})

type Declaration = { attributes: Named[]; members: Named[]; events: Named[]; slots: Named[] }
type Named = { name: string }
const manifest = JSON.parse(readFileSync('custom-elements.json', 'utf8'))
const { attributes, members, events, slots }: Declaration = manifest.modules
  .flatMap(({ declarations = [] }: { declarations?: Declaration[] }) => declarations)
  .find(({ slots }: Partial<Declaration>) => slots !== undefined)
const isOf = (list: Named[], name: string) => list.some((each) => each.name === name)

test.each(blocksIn(...MARKUP))(
  '$where: the element has every attribute, property, event and slot',
  ({ code, language }) => {
    for (const [, inside = ''] of code.matchAll(/<credit-report-widget((?:[^>"{]|"[^"]*"|\{\{?[^}]*\}\}?)*?)\/?>/g)) {
      const names = inside
        .replace(/="[^"]*"|=\{\{?[^}]*\}\}?/g, '')
        .trim()
        .split(/\s+/)
        .filter(Boolean)
      const unknown = names.filter((name) => {
        const bare = name.replace(/^(?:on(?=credit)|@|:)|\.prop$/g, '')
        return !isOf(attributes, bare) && !isOf(events, bare) && !(language !== 'html' && isOf(members, bare))
      })
      expect(unknown).toEqual([])
    }
    for (const [, slot = ''] of code.matchAll(/slot="([^"]*)"/g)) expect(slots.map(({ name }) => name)).toContain(slot)
    for (const [, script = ''] of language === 'html' ? code.matchAll(/<script>([\s\S]*?)<\/script>/g) : [])
      new Script(script)
    const tags = [...code.matchAll(/<(\/?)([a-z][\w-]*)[^>]*?(\/?)>/g)].filter(([, , , isClosed]) => !isClosed)
    const namesOf = (isEnd: boolean) => tags.filter(([, end]) => Boolean(end) === isEnd).map(([, , name]) => name)
    expect(namesOf(false).toSorted()).toEqual(namesOf(true).toSorted())
  },
)

const { scripts }: { scripts: { [name: string]: string } } = JSON.parse(readFileSync('package.json', 'utf8'))
const bins = ['credit-report-widget', 'credit-report-service'].flatMap((name) =>
  Object.keys(JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).bin),
)
const commands = [...serviceCommands, ...portalCommands, ...createKeyCommands([]), createPreflightCommand([])]

test.each(blocksIn('sh'))('$where: a shell understands it, and its commands exist', ({ code }) => {
  execFileSync('bash', ['-n'], { input: code })
  const lines = code
    .replace(/\\\n\s*/g, '')
    .replace(/\s+#.*$/gm, '')
    .split(/\n|&&/)
  for (const line of lines) {
    const [tool = '', ...words] = line
      .trim()
      .replace(/^(?:[A-Z_]+=\S+ )+/, '')
      .replace(/[[\]]/g, '')
      .split(/\s+/)
    if (tool === 'npm') checkNpm(words)
    if (tool === 'npx') checkNpx(words[0] === '--package' ? words.slice(2) : words)
  }
})

function checkNpm([verb = '', script = '', , ...words]: string[]): void {
  expect(['ci', 'start', 'install', 'test', 'run']).toContain(verb)
  if (verb !== 'run') return
  expect(Object.keys(scripts)).toContain(script)
  if (script === 'admin') checkAdmin(words)
}

function checkNpx([bin = '', verb = '', ...words]: string[]): void {
  expect(bins).toContain(bin)
  if (verb === 'admin') checkAdmin(words)
}

function checkAdmin(words: string[]): void {
  if (words.length === 0) return
  const asked = words.join(' ').replace(/'[^']*'/g, 'quoted')
  const command = commands.find(({ name }) => `${asked} `.startsWith(`${name} `))
  if (command === undefined) throw new Error(`there is no command "${asked}"`)
  readArguments(command, asked.slice(command.name.length).split(' ').filter(Boolean))
}

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

test.each(blocksIn('nginx'))('$where: directives end and braces close', ({ code }) => {
  const lines = code
    .replace(/^\s*#.*$/gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  expect(lines.filter((line) => !/[;{}]$/.test(line))).toEqual([])
  const bare = code.replace(/\{base_url\}/g, '')
  expect(bare.split('{').length).toBe(bare.split('}').length)
})
