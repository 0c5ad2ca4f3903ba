// Builds what a lender's script tag loads, as plain CommonJS from the bundler's own code splitting:
//
//   widget.js                      the loader, the digest of every chunk, the script itself: an IIFE without a global
//   {check,report,…}.<digest>.js   a chunk for each `import()`, as a module that is handed its `exports` and `require`
//
// Each file comes with a source map, which no file names: the proxy does not serve them.
import { createHash } from 'node:crypto'
import { build, type InlineConfig, type Rollup } from 'vite'
import { chunkFile } from './chunk-file.ts'
import type { Chunks } from './loader.ts'

type BuiltFile = { fileName: string; code: string }

/** The bundler's name of the file that holds the script and everything it imports. */
const SCRIPT = 'script'

export async function buildScriptFiles(common: InlineConfig): Promise<BuiltFile[]> {
  const loader = await buildLoader(common)
  const built = await buildChunks({
    ...common,
    build: {
      ...common.build,
      sourcemap: 'hidden',
      lib: { entry: 'widget/script.ts', formats: ['cjs'] },
      rolldownOptions: {
        ...common.build?.rolldownOptions,
        output: {
          chunkFileNames: '[name].js',
          // One file before the first input: whatever the script imports is in it, also what chunks import too. What
          // `check` shares with the chunks that follow it is in `check`, which is always loaded first.
          codeSplitting: {
            groups: [
              { name: SCRIPT, test: /\/widget\/script\.ts$/, priority: 2 },
              { name: 'check', test: /\/widget\/check\/index\.tsx$/, priority: 1 },
            ],
          },
        },
      },
    },
  })
  // The entry itself only imports the script.
  const parts = built.filter(({ isEntry }) => !isEntry)
  const script = parts.find(({ name }) => name === SCRIPT)
  if (!script) throw new Error('the bundler has made no script')
  const chunks: Chunks = {}
  const files = parts
    .filter((chunk) => chunk !== script)
    .flatMap((chunk) => {
      const wrapped = wrap('export const run=(function(exports,require){', chunk, '})')
      const digest = createHash('sha384').update(wrapped.code).digest('base64')
      const imports = chunk.imports.filter((file) => file !== script.fileName).map((file) => `./${file}`)
      chunks[`./${chunk.fileName}`] = [digest, ...imports]
      return withMap(chunkFile(`./${chunk.fileName}`, digest), wrapped)
    })
  // Not strict: where a page has frozen `Object.prototype`, libraries that set a `toString` of their own would throw.
  const start = `(()=>{${loader}loader.runScript("./${script.fileName}",${JSON.stringify(chunks)},(function(exports,require){`
  return [...withMap('widget.js', wrap(start, script, '}))})()')), ...files]
}

async function buildLoader(common: InlineConfig): Promise<string> {
  const lib = { entry: 'widget/build/loader.ts', formats: ['iife' as const], name: 'loader' }
  const [loader] = await buildChunks({ ...common, build: { ...common.build, lib } })
  return loader?.code ?? ''
}

type Chunk = Rollup.OutputChunk
type Wrapped = { code: string; map: string }

/**
 * Puts a line before and one after, and moves the source map with the code. A function in brackets is compiled at once,
 * not looked over first.
 */
function wrap(before: string, { code, map }: Chunk, after: string): Wrapped {
  if (!map) throw new Error('the bundler has made no source map')
  return { code: `${before}\n${code}${after}\n`, map: JSON.stringify({ ...map, mappings: `;${map.mappings}` }) }
}

function withMap(fileName: string, { code, map }: Wrapped): BuiltFile[] {
  return [
    { fileName, code },
    { fileName: `${fileName}.map`, code: map },
  ]
}

async function buildChunks(config: InlineConfig): Promise<Chunk[]> {
  const result = await build({ ...config, build: { ...config.build, write: false } })
  if (!Array.isArray(result) && !('output' in result)) throw new Error('the build is watching')
  return [result].flat().flatMap(({ output }) => output.flatMap((file) => (file.type === 'chunk' ? [file] : [])))
}
