// The first questions of a lender's security team: are these the bytes you say, what is in them, and are their licences
// allowed?
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from './stack.ts'

const BUILD_LIMIT_MS = 600_000

const PACKAGES = ['credit-report-widget', 'credit-report-service']

test('a clone that was never built builds the same bytes, and packs all that an import can ask for', async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  const folder = mkdtempSync(join(tmpdir(), 'credit-report-build-'))
  try {
    for (const file of listTrackedFiles()) cpSync(file, join(folder, file))
    installFrom('node_modules', join(folder, 'node_modules'))
    execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { cwd: folder, timeout: BUILD_LIMIT_MS })
    const second = digestBuild(folder)
    expect(Object.keys(second).length).toBeGreaterThan(10)
    expect(second).toEqual(digestBuild('.'))
    for (const name of PACKAGES) {
      expect(listPacked(join(folder, 'packages', name))).toEqual(expect.arrayContaining(listEntries(name)))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what is packed leaves out what only we need', () => {
  const packed = PACKAGES.flatMap((name) => listPacked(join('packages', name)))
  expect(packed.filter((file) => file.endsWith('.png'))).toEqual([])
  expect(packed.filter((file) => /(^|\/)\.|\.test\.|(^|\/)demo/.test(file))).toEqual([])
})

test('English made strange is for us alone', () => {
  const folder = 'packages/credit-report-widget/dist'
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(?:js|map)$/.test(file))
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter((file) => /en-XA|Å/.test(file + readFileSync(join(folder, file), 'utf8')))).toEqual([])
})

test('nothing of the demo or of our tests is in what production runs', () => {
  const folder = 'packages/credit-report-service/dist/node'
  const published = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const ours = filesFrom('dist/programs', 'service-main.js')
  for (const code of [readAll(folder, published), readAll('dist/programs', ours)]) {
    expect(code).toContain('/v1/credit-reports')
    for (const trace of ['demo-password', '/demo/sms', 'startFaultyGateway', 'createTestApp'])
      expect(code).not.toContain(trace)
  }
  expect(readAll('dist/programs', filesFrom('dist/programs', 'demo-service.js'))).toContain('demo-password')
})

function readAll(folder: string, files: readonly string[]): string {
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join()
}

/** A built file and all it imports, now or later. */
function filesFrom(folder: string, file: string, found = new Set<string>()): string[] {
  if (found.has(file)) return []
  found.add(file)
  const imports = readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+\.js)"/g)
  for (const [, path = ''] of imports) filesFrom(folder, join(dirname(file), path), found)
  return [...found]
}

/** The paths `npm pack` would put into the package, in order. */
function listPacked(folder: string): string[] {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: BUILD_LIMIT_MS,
  })
  // A list or a table by name, as npm’s version has it; one package either way.
  const packages = Object.values<{ files: { path: string }[] }>(JSON.parse(answer))
  return packages.flatMap(({ files }) => files.map(({ path }) => path)).toSorted()
}

/** Every file the package's `exports` and `bin` lead to. */
function listEntries(name: string): string[] {
  type Described = {
    exports: { [entry: string]: string | { [condition: string]: string } }
    bin?: { [name: string]: string }
  }
  const { exports, bin = {} }: Described = JSON.parse(readFileSync(join('packages', name, 'package.json'), 'utf8'))
  return [...Object.values(exports), ...Object.values(bin)]
    .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
    .map((target) => target.replace('./', ''))
}

type Manifest = { [file: string]: { integrity: string; bytes: number; brotli: number } }

const manifest: Manifest = JSON.parse(readFileSync('dist/widget/manifest.json', 'utf8'))

test('the manifest tells integrity and size of every file of the widget', () => {
  const files = readdirSync('dist/widget').filter((file) => file.endsWith('.js'))
  expect(Object.keys(manifest).toSorted()).toEqual(files.toSorted())
  for (const file of files) {
    const code = readFileSync(join('dist/widget', file))
    expect(manifest[file], file).toEqual({
      integrity: integrityOf(code),
      bytes: code.length,
      brotli: brotliCompressSync(code).length,
    })
  }
})

test('every built file has a source map with its sources in it, and none is served', async ({ stack }) => {
  for (const file of filesWithCode()) {
    const { sources, sourcesContent } = readMap(file)
    expect(sourcesContent.length, file).toBe(sources.length)
    const response = await fetch(`${stack.shop}/credit-reports/${file}.map`)
    expect(response.status, file).toBe(404)
  }
  expect(readMap('widget.js').sources.some((source) => source.endsWith('widget/element.tsx'))).toBe(true)
  // A map that cannot be fetched is not named either.
  expect(readFileSync('dist/widget/widget.js', 'utf8')).not.toContain('sourceMappingURL')
})

test('the script itself needs no schemas: they come with the chunk that talks to the server', () => {
  expect(readMap('widget.js').sources.filter((source) => source.includes('/zod/'))).toEqual([])
})

/** All but the one that only passes on what another exports. */
function filesWithCode(): string[] {
  return Object.keys(manifest).filter((file) => file !== 'element.js')
}

function readMap(file: string): { sources: string[]; sourcesContent: string[] } {
  return JSON.parse(readFileSync(`dist/widget/${file}.map`, 'utf8'))
}

/** The packages whose code is in a file of the widget, by the source maps. */
function bundledLibraries(): string[] {
  const sources = filesWithCode().flatMap((file) => readMap(file).sources)
  const names = sources.flatMap((source) => /node_modules\/((?:@[\w-]+\/)?[\w-]+)/.exec(source)?.[1] ?? [])
  return [...new Set(names)]
}

test('the script knows the digest of each of its chunks, and each is named after it', () => {
  const script = readFileSync('dist/widget/widget.js', 'utf8')
  const chunks = Object.keys(manifest).filter((file) => /^(?!module-)[\w-]+\.[\w-]{10}\.js$/.test(file))
  expect(chunks.length).toBeGreaterThan(3)
  for (const chunk of chunks) {
    const digest = createHash('sha384')
      .update(readFileSync(join('dist/widget', chunk)))
      .digest('base64')
    expect(script).toContain(digest)
    expect(chunk.split('.')[1]).toBe(digest.slice(0, 10).replace(/\W/g, '-'))
  }
})

test('a lender’s server hands out those bytes, and so does the service', async ({ stack }) => {
  for (const file of Object.keys(manifest).filter((name) => !/^(index|element|module-)/.test(name))) {
    const response = await fetch(`${stack.shop}/credit-reports/${file}`)
    expect(integrityOf(Buffer.from(await response.arrayBuffer())), file).toBe(manifest[file]?.integrity)
  }
  const device = await fetch(`${stack.service}/v1/fingerprints/device`)
  const pinned = await fetch(new URL(device.headers.get('Content-Location') ?? '', stack.service))
  const bytes = Buffer.from(await pinned.arrayBuffer())
  expect(bytes.equals(Buffer.from(await device.arrayBuffer()))).toBe(true)
  expect(device.headers.get('X-Integrity')).toBe(integrityOf(bytes))
})

type Package = {
  version: string
  license?: string
  dev?: boolean
  hasInstallScript?: boolean
  integrity?: string
  link?: boolean
}

const lock: { packages: { [path: string]: Package } } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const packages = Object.entries(lock.packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, details]) => ({ name: path.replace(/^.*node_modules\//, ''), ...details }))

/** Licences that may be shipped to lenders, and those allowed besides to build and test. */
const LICENCES = ['MIT', 'MIT-0', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause']
const TOOL_LICENCES = [...LICENCES, 'MIT OR Apache-2.0', 'MPL-2.0', 'PSF-2.0', 'Unlicense', '0BSD']
/** Downloads the native half of the database, or builds it. */
const INSTALL_SCRIPTS = ['@photostructure/sqlite']

test('npm can write a bill of materials that names every package, its version, licence and hash', () => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const written = execFileSync(npm, ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { components } = JSON.parse(written) as {
    components: { name: string; version: string; licenses?: unknown[]; hashes?: unknown[] }[]
  }
  const named = new Set(components.map(({ name, version }) => `${name}@${version}`))
  expect(packages.length).toBeGreaterThan(100)
  expect(packages.filter(({ name, version }) => !named.has(`${name}@${version}`))).toEqual([])
  const foreign = components.filter(({ name }) => !PACKAGES.includes(name))
  expect(foreign.filter(({ licenses, hashes }) => !licenses?.length || !hashes?.length)).toEqual([])
})

test('every package has a licence from the list', () => {
  const refused = packages.filter(({ license = '', dev }) => !(dev ? TOOL_LICENCES : LICENCES).includes(license))
  expect(refused.map(({ name, license }) => `${name}: ${license}`)).toEqual([])
})

test('the package carries the licence of each library that is inside the widget', () => {
  for (const library of bundledLibraries())
    expect(readFileSync('NOTICE', 'utf8'), library).toContain(
      readFileSync(`node_modules/${library}/LICENSE`, 'utf8').trim(),
    )
  const { files } = JSON.parse(readFileSync('packages/credit-report-widget/package.json', 'utf8'))
  expect(files).toContain('NOTICE')
})

test('every package is pinned by hash, and only one runs anything when it is installed', () => {
  expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([])
  expect(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name)).toEqual(INSTALL_SCRIPTS)
})

function listTrackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  return listed
    .split('\n')
    .filter((file) => file && /^(?!docs\/(?!(?:lender|auditor)\/|[\w.-]+\.json)|e2e\/)/.test(file))
}

/** Libraries that become part of what is built: these are copied, the tools linked to. */
const BUNDLED = ['preact', '@preact', 'zod']

function installFrom(modules: string, copy: string): void {
  mkdirSync(copy)
  for (const name of readdirSync(modules)) {
    if (BUNDLED.includes(name)) cpSync(join(modules, name), join(copy, name), { recursive: true })
    else symlinkSync(resolve(modules, name), join(copy, name))
  }
}

/** Everything that is built, by name. The types are left out: they are text for editors, and slow to write. */
function digestBuild(folder: string): { [file: string]: string } {
  const files = ['fingerprint-script', 'widget', 'demo', 'lender', 'node'].flatMap((part) =>
    readdirSync(join(folder, 'dist', part), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const digests = files.map((file) => [file.slice(join(folder, 'dist').length + 1), integrityOf(readFileSync(file))])
  return Object.fromEntries(digests)
}

function integrityOf(bytes: Buffer): string {
  return `sha384-${createHash('sha384').update(bytes).digest('base64')}`
}
