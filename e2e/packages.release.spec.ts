// Both packages as a developer gets them: packed, installed into an empty project, used by what their README says.
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, test } from './worker.ts'

const INSTALL_LIMIT_MS = 600_000

test.describe.configure({ timeout: INSTALL_LIMIT_MS })

let folder: string
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'credit-report-package-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

function install(name: string): string {
  const target = join(folder, 'project')
  mkdirSync(target)
  writeFileSync(join(target, 'package.json'), '{ "private": true, "type": "module" }')
  const options = { timeout: INSTALL_LIMIT_MS }
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { ...options, cwd: join('packages', name) })
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? ''
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', resolve(folder, tarball)], {
    ...options,
    cwd: target,
  })
  return target
}

function run(project: string, code: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: project, encoding: 'utf8' })
}

function addressOf(service: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    service.stdout.on('data', (data) => {
      output += data
      const found = /http:\/\/localhost:\d+/.exec(output)?.[0]
      if (found) resolve(found)
    })
    service.once('exit', () => reject(new Error(`the service ended: ${output}`)))
  })
}

function compile(project: string): void {
  const flags = '--noEmit --strict --skipLibCheck false --module nodenext --target es2022 --lib es2023,dom,dom.iterable'
  execFileSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...flags.split(' '), 'lender.ts'], {
    cwd: project,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

type Place = { word: string; source: string; line: string }

/** The origin of words by the file's source map: the source, and the line there. */
function placesOf(file: string): Place[] {
  const payload = JSON.parse(readFileSync(`${file}.map`, 'utf8'))
  const map = new SourceMap(payload)
  const sources: string[] = payload.sources
  const lineAt = (source: string, line: number): string =>
    payload.sourcesContent[sources.indexOf(source)].split('\n')[line] ?? ''
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((code, row) =>
      [...code.matchAll(/(["'`])([a-z][\w -]{5,40})\1/g)].flatMap(({ index, 2: word = '' }) => {
        const place = map.findEntry(row, index)
        if (!('originalSource' in place && place.originalSource)) return []
        return [{ word, source: place.originalSource, line: lineAt(place.originalSource, place.originalLine) }]
      }),
    )
}

test('a lender installs one package without dependencies, and every entry can be imported', () => {
  const project = install('credit-report-widget')
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(installed).toEqual(['credit-report-widget'])
  const said = run(
    project,
    `import { createTenantProxy } from 'credit-report-widget/tenant-proxy'
     import { CreditReport } from 'credit-report-widget/contract'
     const proxy = createTenantProxy({
       service: 'http://localhost:1', tenantId: 'acme', credentials: { clientId: 'a', clientSecret: 'b' }, onReport() {},
     })
     const context = { remoteAddress: '127.0.0.1' }
     const { status } = await proxy(new Request('http://localhost/credit-reports/widget.js'), context)
     console.log(String(status) + ' ' + typeof CreditReport)`,
  )
  expect(said.trim()).toBe('200 object')
})

test('a lender’s project compiles against its types alone: no types of Node, zod or a framework', () => {
  const project = install('credit-report-widget')
  const entries = ['', '/element', '/tenant-proxy', '/client', '/testing', '/contract', '/widget.js']
  const imports = entries.map((entry, index) => `import * as entry${index} from 'credit-report-widget${entry}'`)
  const uses = `entry2.createTenantProxy({ service: 'https://a.example', tenantId: 'a', credentials: { clientId: 'a', clientSecret: 'b' },
    onReport: (report) => report.person?.lastName?.trim() })
    // @ts-expect-error A type that was lost would take anything.
    entry2.createTenantProxy({ tenantId: 1 })`
  writeFileSync(
    join(project, 'lender.ts'),
    [...imports, uses, `export const all = [${entries.map((_, index) => `entry${index}`)}]`].join('\n'),
  )
  compile(project)
})

test('Vue’s templates know the element’s events, as strict templates spell them', () => {
  const project = install('credit-report-widget')
  const vue = join(project, 'node_modules/vue')
  mkdirSync(vue)
  // As much of Vue as the types extend.
  writeFileSync(join(vue, 'package.json'), '{ "name": "vue", "version": "3.5.0", "types": "index.d.ts" }')
  writeFileSync(join(vue, 'index.d.ts'), 'export interface GlobalComponents {}')
  writeFileSync(
    join(project, 'lender.ts'),
    `import 'credit-report-widget/vue'
     import type { GlobalComponents } from 'vue'
     type Props = InstanceType<GlobalComponents['credit-report-widget']>['$props']
     export const good: Props = { endpoint: '/a', onCreditReportComplete: ({ detail }) => detail.creditReportId.trim() }
     // @ts-expect-error There is no such event.
     export const bad: Props = { onCreditReportDone: () => {} }`,
  )
  compile(project)
})

test('what a lender downloads is small, says what it is made of, and links to nothing that is not in it', () => {
  const home = join(install('credit-report-widget'), 'node_modules/credit-report-widget')
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? ''
  expect(statSync(join(folder, tarball)).size).toBeLessThan(1_500_000)
  const sbom = JSON.parse(readFileSync(join(home, 'sbom.json'), 'utf8'))
  const components: { name: string }[] = sbom.components
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['preact', 'zod']))
  expect(sbom.metadata.component.name).toBe('credit-report-widget')
  const docs = readdirSync(join(home, 'docs'), { encoding: 'utf8', recursive: true }).map((name) => `docs/${name}`)
  const pages = ['README.md', ...docs].filter((name) => name.endsWith('.md'))
  const broken = pages.flatMap((page) =>
    [...readFileSync(join(home, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(join(home, dirname(page), link)))
      .map((link) => `${page} → ${link}`),
  )
  expect(broken).toEqual([])
  // An error report from a consumer's browser can be read: the script's map leads to the sources, which come with it.
  const places = placesOf(join(home, 'dist/widget/widget.js')).filter(({ source }) => source.endsWith('.tsx'))
  expect(places.filter(({ word, line }) => !line.includes(word))).toEqual([])
  expect(new Set(places.map(({ source }) => source))).toContain('../../widget/screens/details.tsx')
})

test('the repository serves without its development dependencies', async () => {
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], { encoding: 'utf8' })
  const kept = listed.split('\n').filter((path) => path.split('/node_modules/').length === 2)
  for (const path of kept) {
    const target = join(folder, 'node_modules', path.split('/node_modules/')[1] ?? '')
    mkdirSync(dirname(target), { recursive: true })
    symlinkSync(path, target)
  }
  expect(existsSync(join(folder, 'node_modules/vite'))).toBe(false)
  for (const name of ['package.json', 'scripts', 'dist']) cpSync(name, join(folder, name), { recursive: true })
  const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data') }
  const service = spawn('npm', ['run', 'service'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  try {
    expect((await fetch(`${await addressOf(service)}/healthz`)).status).toBe(200)
  } finally {
    // npm has a child of its own.
    if (service.pid !== undefined) process.kill(-service.pid, 'SIGTERM')
    await once(service, 'exit')
  }
})

test('the types of the service import nothing that is not in its package', () => {
  const types = join(install('credit-report-service'), 'node_modules/credit-report-service/dist/types')
  const files = readdirSync(types, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.d.ts'))
  const missing = files.flatMap((file) =>
    [...readFileSync(join(types, file), 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)]
      .map(([, imported = '']) => join(dirname(file), `${imported}.d.ts`))
      .filter((imported) => !existsSync(join(types, imported)))
      .map((imported) => `${file} → ${imported}`),
  )
  expect(files).toContain('service/index.d.ts')
  expect(missing).toEqual([])
})

test('the service package serves and takes an operator’s commands', async () => {
  const project = install('credit-report-service')
  const bin = join(project, 'node_modules/.bin/credit-report-service')
  const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data') }
  const service = spawn(bin, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await addressOf(service)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/v1/fingerprints/device`)).status).toBe(200)
    const printed = execFileSync(bin, ['admin', 'tenant', 'create', 'acme', '--name', 'Acme'], {
      env,
      encoding: 'utf8',
    })
    expect(printed).toContain('tenant acme created')
  } finally {
    service.kill('SIGTERM')
  }
})
