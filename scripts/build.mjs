// Builds every part into dist/ and prints what each browser file weighs. `--if-stale` does nothing when the sources
// have not changed.
// `--previous TARBALL…` puts the chunks of earlier releases into the lender's package, for pages that are open during a
// lender's deploy.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { root } from './root.mjs'
import { writeSbom } from './sbom.mjs'

const MODES = ['fingerprint-script', 'widget', 'demo', 'lender', 'node', 'programs']
const SOURCES = [
  'contract',
  'openapi',
  'fingerprint-script',
  'widget',
  'kit',
  'tenant-proxy',
  'service',
  'plugins',
  'hosted',
  'portal',
  'demo',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/bundle-types.mjs',
  'scripts/sbom.mjs',
  'tsconfig.json',
  'docs/lender',
  'docs/auditor',
  'packages/AGENTS-widget.md',
  'packages/llms.txt',
  'packages/credit-report-widget/package.json',
  'packages/credit-report-service/package.json',
]
const guides = (...names) =>
  Object.fromEntries(names.map((name) => [`docs/auditor/${name}.md`, `docs/auditor/${name}.md`]))
/** The content of each published package: the target path, and the path where it was built or written. */
const PACKAGES = {
  'credit-report-widget': {
    'dist/widget': 'dist/widget',
    'dist/node': 'dist/lender',
    'dist/types': 'dist/lender-types',
    'CHANGELOG.md': 'CHANGELOG.md',
    NOTICE: 'NOTICE',
    'SECURITY.md': 'SECURITY.md',
    LICENSE: 'LICENSE',
    'README.md': 'packages/README-widget.md',
    'AGENTS.md': 'packages/AGENTS-widget.md',
    'llms.txt': 'packages/llms.txt',
    'docs/lender': 'docs/lender',
    ...guides('data-protection', 'device-signals', 'threat-model', 'trail'),
    'docs/examples': 'docs/examples',
    'docs/openapi.json': 'docs/openapi.json',
    'docs/tenant-proxy.openapi.json': 'docs/tenant-proxy.openapi.json',
    'docs/custom-elements.json': 'docs/custom-elements.json',
  },
  'credit-report-service': {
    'dist/fingerprint-script': 'dist/fingerprint-script',
    'dist/widget': 'dist/widget',
    'dist/node': 'dist/node',
    'dist/types/contract': 'dist/types/contract',
    'dist/types/kit': 'dist/types/kit',
    'dist/types/openapi': 'dist/types/openapi',
    'dist/types/service': 'dist/types/service',
    'dist/types/plugins': 'dist/types/plugins',
    'dist/types/hosted': 'dist/types/hosted',
    'dist/types/tenant-proxy': 'dist/types/tenant-proxy',
    'dist/types/portal': 'dist/types/portal',
    'docs/openapi.json': 'docs/openapi.json',
    'CHANGELOG.md': 'CHANGELOG.md',
    NOTICE: 'NOTICE',
    'SECURITY.md': 'SECURITY.md',
    LICENSE: 'LICENSE',
    'README.md': 'packages/README-service.md',
    'docs/operator': 'docs/operator',
    'docs/examples/plugin.mjs': 'docs/examples/plugin.mjs',
    'docs/auditor': 'docs/auditor',
    'docs/lender/api.md': 'docs/lender/api.md',
  },
}
/** No package has these. */
const UNPUBLISHED = /(?:^|\/)(?:images\/[^/]*|reliability\.json)$/
/** The maximum number of earlier releases in the package. */
const PREVIOUS_MAX = 3
const STAMP = join(root, 'dist/.built-from')

/**
 * Builds when the sources differ from what dist/ was built from. Returns true when it built. Types and the list of what
 * a package is made of are for those who publish or test packages, and slow.
 */
export function buildIfStale({ types = false } = {}) {
  // Without the development dependencies (`npm prune --omit=dev`) what was built before is used as it is.
  if (!existsSync(join(root, 'node_modules/vite')) && existsSync(STAMP)) return false
  const digest = digestSources() + (types ? '+types' : '')
  const built = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : ''
  if (built === digest || built === `${digest}+types`) return false
  build({ types })
  return true
}

function build({ types }) {
  const digest = digestSources() + (types ? '+types' : '')
  rmSync(STAMP, { force: true })
  for (const mode of MODES) run('node_modules/vite/bin/vite.js', 'build', '--mode', mode, '--logLevel', 'warn')
  if (types) {
    run('node_modules/typescript/bin/tsc', '-p', 'scripts/tsconfig.types.json')
    run('scripts/bundle-types.mjs')
  }
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (const [name, files] of Object.entries(PACKAGES)) {
    assemble(name, files)
    if (types) writeSbom(name)
  }
  writeFileSync(STAMP, digest)
}

/** Fills a workspace's folder with what `npm pack` there publishes. */
function assemble(name, files) {
  const folder = join(root, 'packages', name)
  for (const entry of readdirSync(folder))
    if (entry !== 'package.json') rmSync(join(folder, entry), { recursive: true })
  for (const [target, source] of Object.entries(files)) {
    const from = join(root, source)
    const filter = (path) => !UNPUBLISHED.test(path)
    if (existsSync(from)) cpSync(from, join(folder, target), { recursive: true, filter })
  }
}

/** The chunks alone: `widget.js` and the manifest are always this version's. The lender's build embeds them. */
function carryPrevious(tarballs) {
  if (tarballs.length > PREVIOUS_MAX) throw new Error(`build: at most ${PREVIOUS_MAX} earlier releases`)
  const folder = join(root, 'dist/previous')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const tarball of tarballs) {
    const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n')
    const chunks = listed.filter((path) => /^package\/dist\/widget\/(?!module-)[\w-]+\.[\w-]{10}\.js$/.test(path))
    if (chunks.length === 0) throw new Error(`build: ${tarball} has no chunks of the widget`)
    execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=3', ...chunks])
  }
}

function run(script, ...args) {
  // The caller may be a test or a bench; the build is always the one that ships.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit', env })
  if (status !== 0) {
    console.error(`build: ${script} ${args.join(' ')} failed`)
    process.exit(status ?? 1)
  }
}

function digestSources() {
  const hash = createHash('sha256')
  for (const source of SOURCES)
    for (const file of filesUnder(source)) hash.update(file).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function filesUnder(path) {
  if (!existsSync(join(root, path))) return []
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}

function printSizes() {
  console.log('\nbrotli bytes of what a browser loads')
  for (const folder of ['dist/fingerprint-script', 'dist/widget']) {
    for (const name of readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.js'))
      .sort()) {
      const bytes = readFileSync(join(root, folder, name))
      const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
      console.log(`  ${`${folder}/${name}`.padEnd(48)} ${String(brotli.length).padStart(7)}`)
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--if-stale')) buildIfStale({ types: !process.argv.includes('--no-types') })
  else {
    const previous = process.argv.indexOf('--previous')
    carryPrevious(previous > 0 ? process.argv.slice(previous + 1) : [])
    build({ types: true })
    printSizes()
  }
}
