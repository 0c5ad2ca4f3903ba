// The house rules that a reader cannot see in one file: who may import whom, and what must never be committed.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const FOLDERS = [
  'contract',
  'openapi',
  'kit',
  'fingerprint-script',
  'widget',
  'tenant-proxy',
  'service',
  'plugins',
  'hosted',
  'portal',
  'demo',
  'testing',
  'prove',
  'e2e',
  'bench',
  'scripts',
]

/** The imports allowed to each folder besides itself; packages are listed by name, folders with a slash. */
const MAY_IMPORT: { [folder: string]: { folders: string[]; packages: string[] | 'any' } } = {
  contract: { folders: [], packages: ['zod'] },
  openapi: { folders: ['contract'], packages: ['zod'] },
  'fingerprint-script': { folders: ['contract'], packages: [] },
  widget: { folders: ['contract'], packages: ['preact', '@preact/signals', 'zod'] },
  kit: { folders: ['contract'], packages: [] },
  'tenant-proxy': { folders: ['contract', 'kit'], packages: ['zod'] },
  service: { folders: ['contract', 'openapi', 'kit'], packages: 'any' },
  plugins: { folders: ['contract', 'openapi', 'kit', 'service'], packages: 'any' },
  hosted: { folders: ['contract', 'openapi', 'kit', 'service', 'tenant-proxy'], packages: 'any' },
  portal: { folders: ['contract', 'openapi', 'kit', 'service', 'plugins', 'hosted'], packages: 'any' },
  demo: { folders: ['contract', 'kit', 'widget', 'tenant-proxy', 'service', 'plugins', 'portal'], packages: 'any' },
  testing: {
    folders: ['contract', 'openapi', 'kit', 'widget', 'tenant-proxy', 'service', 'plugins', 'hosted', 'portal', 'demo'],
    packages: 'any',
  },
  prove: { folders: ['contract', 'kit', 'tenant-proxy', 'service', 'plugins', 'demo', 'testing'], packages: 'any' },
  e2e: { folders: ['scripts'], packages: 'any' },
  bench: { folders: ['scripts', 'testing'], packages: 'any' },
}

/** Inside a folder: a room (a folder, or a file at the top) imports only from rooms before its own, types included. */
const FLOORS: { [folder: string]: string[][] } = {
  widget: [
    ['own-tag', 'own-url', 'slots', 'second-press', 'style', 'strings'],
    ['agencies', 'build', 'fields'],
    ['flow'],
    ['events'],
    ['frame'],
    ['form', 'jsx', 'session'],
    ['report'],
    ['screens', 'types'],
    ['check'],
    ['create-session', 'diagnose'],
    ['element'],
    ['define'],
    ['index', 'script'],
  ],
  service: [
    ['log'],
    ['describe-error', 'keys'],
    ['store'],
    ['secret-key', 'sweeper', 'server-clock'],
    ['telemetry'],
    ['http'],
    ['providers'],
    ['config'],
    ['ledger'],
    ['tokens'],
    ['command'],
    ['act'],
    ['plugin'],
    ['devices', 'texts'],
    ['check'],
    ['schema'],
    ['handler'],
    ['explain-failure', 'start'],
    ['run-process'],
    ['index'],
  ],
}

/**
 * A plugin imports no other: what it has to tell goes through the core. These collect what others offer, for the
 * operator.
 */
const COLLECTORS = ['plugins/admin/', 'plugins/postgres/move-']

/** Why an import from one plugin into another is not allowed, or null. */
function acrossPlugins({ file, to }: Import): string | null {
  const target = normalize(join(dirname(file), to))
  const isBetween = [file, target].every((path) => /^plugins\/[^/]+\//.test(path)) && roomOf(file) !== roomOf(target)
  if (!isBetween || isTestSupport(file) || COLLECTORS.some((beginning) => file.startsWith(beginning))) return null
  return `${file} imports ${to}`
}

/**
 * Inside the portal: which rooms, and which files at the top, a room may import. Files at the top put the rooms
 * together.
 */
const PORTAL_ROOMS: { [room: string]: string[] } = {
  pages: [],
  reference: ['pages'],
  identity: ['pages', 'tables', 'derive-keys'],
  console: ['pages', 'tables', 'identity'],
}

/** A test may use test tools, and nothing else its folder may not. */
const TEST_PACKAGES = [
  'vitest',
  'zod',
  'fast-check',
  '@readme/openapi-parser',
  'json-schema-faker',
  'playwright-core',
  '@testing-library/preact',
  '@testing-library/user-event',
  'express',
  'fastify',
  'hono',
  '@hono/node-server',
  'standardwebhooks',
]

/** Tests reach the whole through what supports them; the wholes they need are the demo's service and its gateway. */
const TEST_FOLDERS = ['testing', 'plugins', 'portal', 'demo', 'prove']

/** The widget's build runs before any browser does. */
const WIDGET_BUILD_PACKAGES = ['vite']

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(file))
const sources = tracked.filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file))

type Import = { file: string; to: string }

function importsOf(file: string): Import[] {
  return importsIn(file, readFileSync(file, 'utf8'))
}

function importsIn(file: string, written: string): Import[] {
  const text = written.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
  const found = text.matchAll(/(?:from\s+|import\s+|import\()\s*['"]([^'"\n]+)['"]/g)
  return [...found].flatMap(([, to]) => (to ? [{ file, to }] : []))
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? ''
}

/** The words of the report are loaded with those of the screens. */
function roomOf(path: string): string {
  if (/^widget\/report\/(help\/)?strings/.test(path)) return 'strings'
  return (path.split('/')[1] ?? '').replace(/\.tsx?$/, '')
}

function floorOf(path: string): number {
  return FLOORS[folderOf(path)]?.findIndex((rooms) => rooms.includes(roomOf(path))) ?? -1
}

/** Why an import inside a folder with floors is not allowed, or null. */
function upward({ file, to }: Import): string | null {
  const target = normalize(join(dirname(file), to))
  const isInside = to.startsWith('.') && FLOORS[folderOf(file)] && folderOf(file) === folderOf(target)
  if (!isInside || isTestSupport(file) || roomOf(file) === roomOf(target)) return null
  return floorOf(target) !== -1 && floorOf(target) < floorOf(file) ? null : `${file} imports ${to}`
}

/** Why an import inside the portal is not allowed, or null. */
function acrossRooms({ file, to }: Import): string | null {
  const target = normalize(join(dirname(file), to))
  const mayImport = file.startsWith('portal/') ? PORTAL_ROOMS[roomOf(file)] : undefined
  if (mayImport === undefined || !to.startsWith('.') || !target.startsWith('portal/') || isTestSupport(file))
    return null
  return [roomOf(file), ...mayImport].includes(roomOf(target)) ? null : `${file} imports ${to}`
}

/** Why an import inside the proxy is not allowed, or null: a check knows no extra by name. */
function namesExtra({ file, to }: Import): string | null {
  const target = normalize(join(dirname(file), to))
  const isCheck = /^tenant-proxy\/(?:check|client)\//.test(file) && !isTestSupport(file)
  return isCheck && target.startsWith('tenant-proxy/extras/') ? `${file} imports ${to}` : null
}

/** Every chain of imports that leads back to where it began, types included. */
function cyclesAmong(files: readonly string[]): string[] {
  const edges = new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter(({ to }) => to.startsWith('.'))
        .map(({ to }) => normalize(join(dirname(file), to.replace(/\?.*$/, ''))))
        .filter((target) => files.includes(target)),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  function visit(file: string, path: readonly string[]): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const next of edges.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}

/** Why the import is not allowed, or null. */
function objection({ file, to }: Import): string | null {
  const rule = MAY_IMPORT[folderOf(file)]
  if (!rule || to.startsWith('node:')) return null
  if (to.startsWith('.')) {
    const target = folderOf(normalize(join(dirname(file), to)))
    if (!FOLDERS.includes(target) || target === folderOf(file) || rule.folders.includes(target)) return null
    if (isTestSupport(file) && TEST_FOLDERS.includes(target)) return null
    return `${file} imports ${to}`
  }
  const name = to.split('/', to.startsWith('@') ? 2 : 1).join('/')
  if (rule.packages === 'any' || rule.packages.includes(name)) return null
  if (isTestSupport(file) && TEST_PACKAGES.includes(name)) return null
  if (file.startsWith('widget/build/') && WIDGET_BUILD_PACKAGES.includes(name)) return null
  return `${file} imports ${to}`
}

function isTestSupport(file: string): boolean {
  return /\.test\.tsx?$/.test(file)
}

describe('who may import whom', () => {
  test('every import follows the arrows', () => {
    expect(sources.flatMap(importsOf).map(objection).filter(Boolean)).toEqual([])
  })

  test.each([
    ['the widget reaching into the service', { file: 'widget/api.ts', to: '../service/handler.ts' }],
    ['the service reaching into the proxy', { file: 'service/handler.ts', to: '../tenant-proxy/index.ts' }],
    ['the contract importing all of another library', { file: 'contract/money.ts', to: 'hono' }],
    ['an end-to-end test importing an inside', { file: 'e2e/otp.spec.ts', to: '../widget/flow/flow.ts' }],
    ['the service reaching up into the portal', { file: 'service/handler.ts', to: '../portal/portal.ts' }],
    ['production code importing what supports tests', { file: 'service/handler.ts', to: '../testing/test-app.ts' }],
    ['the proxy taking a runtime dependency', { file: 'tenant-proxy/check/ticket.ts', to: 'jose' }],
  ])('the rule refuses %s', (_what, forbidden) => {
    expect(objection(forbidden)).not.toBeNull()
  })

  test('inside the service and the widget every import leads down', () => {
    expect(sources.flatMap(importsOf).map(upward).filter(Boolean)).toEqual([])
    expect(upward({ file: 'service/store/sqlite.ts', to: '../wallet/tables.ts' })).not.toBeNull()
    expect(upward({ file: 'widget/flow/flow.ts', to: '../check/api.ts' })).not.toBeNull()
    expect(upward({ file: 'widget/form/form.tsx', to: '../screens/waiting.tsx' })).not.toBeNull()
    expect(upward({ file: 'service/texts/outbox.ts', to: '../reports/store.ts' })).not.toBeNull()
  })

  test('no plugin imports another, and the service imports none', () => {
    expect(sources.flatMap(importsOf).map(acrossPlugins).filter(Boolean)).toEqual([])
    expect(acrossPlugins({ file: 'plugins/limits/index.ts', to: '../webhooks/queue.ts' })).not.toBeNull()
    expect(objection({ file: 'service/handler.ts', to: '../plugins/limits/index.ts' })).not.toBeNull()
  })

  test('inside the portal a room imports only what it may', () => {
    expect(sources.flatMap(importsOf).map(acrossRooms).filter(Boolean)).toEqual([])
    expect(acrossRooms({ file: 'portal/identity/proof.ts', to: '../console/frame.ts' })).not.toBeNull()
    expect(acrossRooms({ file: 'portal/identity/proof.ts', to: '../reference/page.ts' })).not.toBeNull()
    expect(acrossRooms({ file: 'portal/reference/page.ts', to: '../identity/users.ts' })).not.toBeNull()
    expect(acrossRooms({ file: 'portal/reference/page.ts', to: '../console/frame.ts' })).not.toBeNull()
  })

  test('inside the proxy a check names no extra, and stays small', () => {
    expect(sources.flatMap(importsOf).map(namesExtra).filter(Boolean)).toEqual([])
    expect(namesExtra({ file: 'tenant-proxy/check/current.ts', to: '../extras/draft.ts' })).not.toBeNull()
    const files = sources.filter((file) => file.startsWith('tenant-proxy/check/') && !isTestSupport(file))
    const lines = files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(1_800)
  })

  test('there is no import cycle in any folder, types and tests included', () => {
    expect(cyclesAmong(sources)).toEqual([])
    const written = "import type { A } from './a.tsx'\nlet b: typeof import('./b.ts')\nexport type * from './c.ts'"
    expect(importsIn('widget/x.ts', written).map(({ to }) => to)).toEqual(['./a.tsx', './b.ts', './c.ts'])
  })

  test('a row is read with its type, so that a misspelt column does not compile', () => {
    const untyped =
      /\b(?:database|queries)\s*\.(?:all|first)\(\s*['`](?!SELECT 1 AS one|VACUUM|PRAGMA|SELECT pg_advisory)/
    const production = sources.filter(
      (file) => /^(?:service|plugins|hosted|portal|demo)\//.test(file) && !isTestSupport(file),
    )
    expect(production.filter((file) => untyped.test(readFileSync(file, 'utf8')))).toEqual([])
    expect("await queries.first('SELECT credits FROM wallet_line')").toMatch(untyped)
  })

  test('browsers get zod/mini, never the whole of zod', () => {
    const browserFolders = ['contract', 'widget', 'fingerprint-script']
    const whole = sources
      .filter((file) => browserFolders.includes(folderOf(file)) && !isTestSupport(file))
      .flatMap(importsOf)
      .filter(({ to }) => to === 'zod' || to.startsWith('zod/v'))
    expect(whole).toEqual([])
  })
})

describe('what is committed', () => {
  test('no code calls z.config(), which would change every other zod on the page', () => {
    expect(
      sources.filter(
        (file) => file !== 'testing/tree/tidy.test.ts' && /\bz\.config\(/.test(readFileSync(file, 'utf8')),
      ),
    ).toEqual([])
  })

  test('no test is skipped or focused', () => {
    const skipping = /\b(?:test|it|describe)\.(?:skip|only|todo|fixme)\b/
    const skipped = sources.filter(
      (file) => file !== 'testing/tree/tidy.test.ts' && skipping.test(readFileSync(file, 'utf8')),
    )
    expect(skipped).toEqual([])
  })

  test('only a test of a release may depend on a program that is missing', () => {
    const conditional = /\b(?:test|it|describe)\.(?:runIf|skipIf)\b/
    const quick = sources.filter((file) => !/\.release\.|tidy\.test/.test(file))
    expect(quick.filter((file) => conditional.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  test('a test changes the environment by vi.stubEnv, which puts it back: the files of a worker share it', () => {
    const changing = /Object\.assign\(process\.env|process\.env(?:\.\w+|\[[^\]]+\])\s*=(?!=)|delete process\.env/
    const tests = sources.filter((file) => /\.test\.tsx?$/.test(file) && file !== 'testing/tree/tidy.test.ts')
    expect(tests.filter((file) => changing.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  test('a comment begins with its subject, and its lines fit the page', () => {
    const headless = /^\s*(?:\/\*\*|\/\/) (?:What|How|Where|Who|Whose|Which|Whatever|Whether)\b/m
    const files = sources.filter((file) => file !== 'testing/tree/tidy.test.ts')
    expect(files.filter((file) => headless.test(readFileSync(file, 'utf8')))).toEqual([])
    expect(headless.test('/** What is asked for. */')).toBe(true)
    // Diagrams keep their lines, and so does what a linter reads.
    const isLong = (line: string) =>
      line.length > 120 && /^\s*(?:\/\/|\/?\*+) /.test(line) && !/[─→▶└]|\S {3,}\S|biome-ignore/.test(line)
    const longOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(isLong)
    expect(files.flatMap((file) => longOf(file).map((line) => `${file}: ${line}`))).toEqual([])
    expect(isLong(`// ${'word '.repeat(30)}`)).toBe(true)
  })

  test('a test file that stops the clock starts it again, for the next file of its worker', () => {
    const stops = tracked.filter(
      (file) => /\.test\.tsx?$/.test(file) && /useFakeTimers\(/.test(readFileSync(file, 'utf8')),
    )
    expect(stops.length).toBeGreaterThan(20)
    expect(stops.filter((file) => !/useRealTimers\b/.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  test('terms of the trade stand where a term exists', () => {
    // In quotes or beside a hyphen a word is data. Migrations keep the text they were released with.
    const odd =
      /(?<![\w'"`/=:-])(?:whoever|nobody|somebody|everybody|mend(?:s|ed|ing)?|told|under way|at work)(?![\w'"`@=-])/i
    const files = tracked.filter(
      (file) => /\.(?:tsx?|mjs|md)$/.test(file) && !/tables\.ts$|\/strings|CHANGELOG/.test(file),
    )
    expect(files.length).toBeGreaterThan(500)
    expect(files.filter((file) => odd.test(readFileSync(file, 'utf8')))).toEqual(['testing/tree/tidy.test.ts'])
    expect(odd.test('// Whoever is told waits.')).toBe(true)
  })

  test('the lockfile has every platform’s native binding, so that npm ci works on each', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: { [path: string]: { optionalDependencies?: { [name: string]: string } } }
    }
    const natives = Object.entries(packages).filter(([, entry]) => entry.optionalDependencies)
    const missing = natives.flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !packages[`node_modules/${name}`] && !packages[`${path}/node_modules/${name}`])
        .map((name) => `${path} needs ${name}`),
    )
    expect(missing).toEqual([])
    expect(natives.map(([path]) => path)).toContain('node_modules/rolldown')
    expect(natives.map(([path]) => path)).toContain('node_modules/@biomejs/biome')
  })

  test('the lockfile names no download address', () => {
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"resolved": "(?!packages\/)/)
  })

  const readPackage = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
  const isExact = (version: unknown) => /^\d+\.\d+\.\d+/.test(String(version))

  test('what we develop with is pinned exactly; what a package needs is a range', () => {
    const { devDependencies } = readPackage('package.json')
    expect(Object.entries(devDependencies).filter(([, version]) => !isExact(version))).toEqual([])
    const { dependencies } = readPackage('packages/credit-report-service/package.json')
    expect(Object.entries(dependencies).filter(([, version]) => !/^\^\d/.test(String(version)))).toEqual([])
  })

  test('a lender installs one package and nothing else, and all versions are one', () => {
    const lender = readPackage('packages/credit-report-widget/package.json')
    expect(lender).not.toHaveProperty('dependencies')
    // Installing runs nothing; packing refuses what was not built.
    expect(Object.keys(lender.scripts)).toEqual(['prepack'])
    const versions = [
      'package.json',
      'packages/credit-report-widget/package.json',
      'packages/credit-report-service/package.json',
    ]
    expect(new Set(versions.map((path) => readPackage(path).version)).size).toBe(1)
  })
})
