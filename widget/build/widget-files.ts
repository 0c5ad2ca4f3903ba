// Builds everything a lender can ask for:
//
//   index.js, element.js   the element for bundlers, as modules; beside them their chunks, `module-….js`
//   widget.js and its chunks   the same for a script tag, see `script-files.ts`
//   manifest.json          integrity and size of every file above
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import type { InlineConfig, Plugin, UserConfig } from 'vite'
import { hostProof } from './host-proof.ts'
import { buildScriptFiles } from './script-files.ts'

/** The first browsers with light-dark(), which is left as it is; what older ones get is in `styles.ts`. */
const CSS_TARGET = ['chrome123', 'firefox120', 'safari17.5']

/** One build waits for another here, which is no fault of a plugin's. */
const checks = { bundlerTimings: false }

export function widgetBuild({ target, version }: { target: string; version: string }): UserConfig {
  const common: InlineConfig = {
    configFile: false,
    logLevel: 'warn',
    define: { __VERSION__: JSON.stringify(version) },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [hostProof()],
    build: { outDir: 'dist/widget', target, cssTarget: CSS_TARGET, rolldownOptions: { checks } },
  }
  return {
    ...common,
    plugins: [...(common.plugins ?? []), scriptFilesBeside(common)],
    build: {
      ...common.build,
      sourcemap: true,
      lib: { entry: { index: 'widget/index.ts', element: 'widget/element.tsx' }, formats: ['es'] },
      rolldownOptions: { checks, output: { entryFileNames: '[name].js', chunkFileNames: 'module-[name].[hash].js' } },
    },
  }
}

/** Puts the files of the script tag into the same folder, and the manifest of all. */
function scriptFilesBeside(common: InlineConfig): Plugin {
  return {
    name: 'script-files-beside',
    async generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []))
      const scriptFiles = await buildScriptFiles(common)
      for (const { fileName, code } of scriptFiles) this.emitFile({ type: 'asset', fileName, source: code })
      const files = [...modules, ...scriptFiles].filter(({ fileName }) => fileName.endsWith('.js'))
      const manifest = Object.fromEntries(files.map(({ fileName, code }) => [fileName, describe(code)]))
      this.emitFile({ type: 'asset', fileName: 'manifest.json', source: `${JSON.stringify(manifest, null, 2)}\n` })
    },
  }
}

function describe(code: string): { integrity: string; bytes: number; brotli: number } {
  const bytes = Buffer.from(code)
  const brotli = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
  const digest = createHash('sha384').update(code).digest('base64')
  return { integrity: `sha384-${digest}`, bytes: bytes.length, brotli: brotli.length }
}
