// Builds everything a lender's page can ask for:
//
//   widget.js               the script, an IIFE without a global; knows the name and hash of each chunk
//   {check,report,…}.<hash>.js   chunks, loaded when needed
//   index.js, element.js    the same for bundlers, as modules
//   manifest.json           integrity and size of every file above
import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build, type InlineConfig, type Plugin, type UserConfig } from 'vite'
import { chunkFile } from '../chunk-file.ts'
import { welsh } from '../strings/welsh.ts'
import { asFactory, borrowing, lending } from './borrowing.ts'
import { hostProof, noZod, pureContract } from './hardening.ts'
import { leanPreact } from './lean-preact.ts'
import { shapes } from './shapes.ts'
import { shortNames } from './short-names.ts'
import { shortStyles } from './short-styles.ts'

const CHUNKS = {
  check: 'widget/check/index.tsx',
  report: 'widget/report/index.tsx',
  'find-address': 'widget/screens/find-address.tsx',
  cy: 'widget/strings/welsh.ts',
  diagnose: 'widget/diagnose.ts',
}
const RUNTIME_FILE = resolve('widget/runtime.ts')
/** The first browsers with light-dark(), which is left as it is; what older ones get is in `styles.ts`. */
const CSS_TARGET = ['chrome123', 'firefox120', 'safari17.5']
const rolldown = {
  optimization: { inlineConst: { mode: 'all' } },
  // Reading a property does nothing else here, so what is only read can be left out.
  treeshake: { propertyReadSideEffects: false },
  checks: { bundlerTimings: false },
} as const

/** The digest of each chunk, which also names its file. */
type Digests = { [name: string]: string }
type BuiltFile = { fileName: string; code: string }

export function widgetBuild({ target, version }: { target: string; version: string }): UserConfig {
  const common: InlineConfig = {
    configFile: false,
    logLevel: 'warn',
    define: { __VERSION__: JSON.stringify(version) },
    // Calls of `h` are shorter than what the automatic runtime writes, and need no runtime.
    oxc: {
      jsx: { runtime: 'classic', pragma: 'createNode', pragmaFrag: 'NodeGroup' },
      jsxInject: `import { Fragment as NodeGroup, h as createNode } from 'preact'`,
    },
    plugins: [
      lending(RUNTIME_FILE),
      compiledWire(),
      listedWelsh(),
      pureContract(),
      noZod(),
      leanPreact(),
      shortStyles(),
      hostProof(),
      shortNames(),
    ],
    build: { target, cssTarget: CSS_TARGET, rolldownOptions: rolldown },
  }
  return {
    ...common,
    plugins: [...(common.plugins ?? []), chunksBeside(common)],
    build: {
      ...common.build,
      outDir: 'dist/widget',
      lib: { entry: 'widget/script.ts', formats: ['iife'], name: 'unused', fileName: () => 'widget.js' },
    },
  }
}

/** Reads the server's answers by the shapes of the contract's schemas, without the schemas. */
function compiledWire(): Plugin {
  return {
    name: 'compiled-wire',
    enforce: 'pre',
    resolveId(source, importer) {
      return /\/wire\.ts$/.test(source) ? this.resolve(source.replace('wire', 'wire-compiled'), importer) : null
    },
    transform(code, id) {
      return id.endsWith('/wire-compiled.ts')
        ? {
            code: code.replace(
              /__SHAPES__\.(\w+)/g,
              (_, name: keyof typeof shapes) => `(${JSON.stringify(shapes[name])})`,
            ),
            map: null,
          }
        : null
    },
  }
}

/** Ships the Welsh phrases without their names. */
function listedWelsh(): Plugin {
  return {
    name: 'listed-welsh',
    enforce: 'pre',
    transform(_code, id) {
      return id.endsWith('/strings/welsh.ts')
        ? { code: `export const welsh = ${JSON.stringify(welsh)}`, map: null }
        : null
    },
  }
}

/** Builds the chunks first, tells the script about them, and puts everything into one folder. */
function chunksBeside(common: InlineConfig): Plugin {
  let files: BuiltFile[] = []
  const digests: Digests = {}
  return {
    name: 'chunks-beside',
    enforce: 'pre',
    async buildStart() {
      files = []
      for (const [name, entry] of Object.entries(CHUNKS)) {
        const code = await buildChunk(common, entry)
        const digest = createHash('sha384').update(code).digest('base64')
        digests[name] = digest
        files.push({ fileName: chunkFile(name, digest), code })
      }
      files.push(...(await buildModules(common, digests)))
    },
    resolveId(source, importer) {
      return /\/chunks\.ts$/.test(source) ? this.resolve(source.replace('chunks', 'chunks-by-address'), importer) : null
    },
    transform(code, id) {
      return id.endsWith('/chunks-by-address.ts')
        ? { code: code.replace('__CHUNKS__[', `(${JSON.stringify(digests)})[`), map: null }
        : null
    },
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle))
        if (output.type === 'chunk') files.push({ fileName: output.fileName, code: output.code })
      const manifest = Object.fromEntries(files.map(({ fileName, code }) => [fileName, describe(code)]))
      for (const { fileName, code } of files)
        if (!bundle[fileName]) this.emitFile({ type: 'asset', fileName, source: code })
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source: `${JSON.stringify(manifest, null, 2)}\n` })
    },
  }
}

async function buildChunk(common: InlineConfig, entry: string): Promise<string> {
  const [file] = await buildFiles({
    ...common,
    plugins: [borrowing(RUNTIME_FILE), ...(common.plugins ?? [])],
    build: {
      ...common.build,
      modulePreload: false,
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        ...rolldown,
        output: { format: 'cjs', generatedCode: { symbols: false }, esModule: false },
      },
    },
  })
  if (!file) throw new Error(`${entry} built to nothing`)
  return asFactory(file.code)
}

function buildModules(common: InlineConfig, digests: Digests): Promise<BuiltFile[]> {
  return buildFiles({
    ...common,
    plugins: [...(common.plugins ?? []), chunksAsModules(digests)],
    build: {
      ...common.build,
      lib: { entry: { index: 'widget/index.ts', element: 'widget/element.tsx' }, formats: ['es'] },
      rolldownOptions: {
        ...rolldown,
        output: { entryFileNames: '[name].js', chunkFileNames: 'module-[name].[hash].js' },
      },
    },
  })
}

/** For bundlers the same chunks, imported by name so that they can be found and moved. */
function chunksAsModules(digests: Digests): Plugin {
  const files = Object.entries(digests).map(([name, digest]) => [name, chunkFile(name, digest)])
  return {
    name: 'chunks-as-modules',
    enforce: 'pre',
    resolveId(source) {
      return files.some(([, file]) => source === `./${file}`) ? { id: source, external: true } : null
    },
    transform(_code, id) {
      if (!id.endsWith('/widget/chunks.ts')) return null
      const cases = files.map(([name, file]) => `"${name}": () => import('./${file}')`)
      const code = `import { runtime } from './runtime.ts'
        const load = { ${cases.join(', ')} }
        const loading = {}
        export const loadChunk = (name) => {
          loading[name] ??= load[name]().then((chunk) => chunk.create(runtime()))
          loading[name].catch(() => { delete loading[name] })
          return loading[name]
        }`
      return { code, map: null }
    },
  }
}

async function buildFiles(config: InlineConfig): Promise<BuiltFile[]> {
  const result = await build({ ...config, build: { ...config.build, write: false } })
  if (!Array.isArray(result) && !('output' in result)) throw new Error('the build is watching')
  return [result]
    .flat()
    .flatMap(({ output }) =>
      output.flatMap((file) => (file.type === 'chunk' ? [{ fileName: file.fileName, code: file.code }] : [])),
    )
}

function describe(code: string): { integrity: string; bytes: number; brotli: number } {
  const bytes = Buffer.from(code)
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  return { integrity: integrityOf(code), bytes: bytes.length, brotli: brotli.length }
}

function integrityOf(code: string): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`
}
