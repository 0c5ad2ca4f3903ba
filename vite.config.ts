// One file says how every part is built: `vite build --mode` with a name of `builds`. scripts/build.mjs runs them all.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Plugin, UserConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import { journeys } from './demo/journeys/journeys.ts'
import { embedFiles } from './widget/build/embed-files.ts'
import { widgetBuild } from './widget/build/widget-files.ts'

const { version } = readPackage('package.json')
const { dependencies, optionalDependencies } = readPackage('packages/credit-report-service/package.json')
const loaded = Object.keys({ ...dependencies, ...optionalDependencies })
/** Only some installations use these, and load them then. */
const LOADED_LATE = ['@photostructure/sqlite', 'nodemailer', 'openid-client', 'otplib', 'pg']

/** The tests that run (scripts/test.mjs): `edit`, `release`, or every one that is named. */
const TIER = process.env.TEST_TIER

/** The language level of the consumer's browser: every evergreen browser since 2022. */
const BROWSER_TARGET = 'es2022'

const builds: { [mode: string]: UserConfig } = {
  widget: widgetBuild({ target: BROWSER_TARGET, version }),
  'fingerprint-script': {
    build: {
      outDir: 'dist/fingerprint-script',
      // For people who read error reports; the script does not name it, as the service does not serve it.
      sourcemap: 'hidden',
      target: 'es2015',
      lib: { entry: 'fingerprint-script/index.ts', formats: ['iife'], name: 'unused', fileName: () => 'device.js' },
      rolldownOptions: {
        optimization: { inlineConst: { mode: 'all' } },
        // Every function of the script runs at once; with this hint V8 compiles the file in one go, a seventh of its
        // main-thread time.
        output: { postBanner: '//# allFunctionsCalledOnLoad' },
      },
    },
  },
  demo: {
    plugins: [journeysFile()],
    build: {
      outDir: 'dist/demo',
      sourcemap: true,
      target: BROWSER_TARGET,
      modulePreload: false,
      rolldownOptions: {
        input: {
          shop: 'demo/shop/client.ts',
          preview: 'demo/preview/client.tsx',
          host: 'demo/host/client.ts',
          'add-accented': 'demo/host/add-accented.ts',
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name].js', assetFileNames: '[name][extname]' },
      },
    },
  },
  // The bundle for a lender's server: everything it needs is in it, so that the package has no dependency.
  lender: {
    plugins: [embedFiles()],
    ssr: { noExternal: true },
    build: {
      outDir: 'dist/lender',
      target: 'node20',
      ssr: true,
      minify: false,
      rolldownOptions: {
        input: {
          contract: 'contract/index.ts',
          'tenant-proxy': 'tenant-proxy/index.ts',
          client: 'tenant-proxy/client/index.ts',
          testing: 'tenant-proxy/testing/index.ts',
          'proxy-main': 'tenant-proxy/main.ts',
        },
      },
    },
  },
  // The package for operators and for servers of their own: its dependencies stay what npm installs.
  node: nodeBuild('dist/node', {
    // Zod is built in, because from its package each start also loads its messages in sixty languages.
    external: loaded.filter((name) => name !== 'zod'),
    input: {
      service: 'service/index.ts',
      plugins: 'plugins/index.ts',
      hosted: 'hosted/index.ts',
      portal: 'portal/index.ts',
      cli: 'portal/cli.ts',
    },
  }),
  // The programs of `npm start`, of the image and of the unit: what every start loads is inside, because reading a
  // hundred small files was a fifth of a start. No package has them.
  programs: nodeBuild('dist/programs', {
    external: LOADED_LATE,
    input: {
      'service-main': 'portal/main.ts',
      admin: 'portal/admin-main.ts',
      'demo-service': 'demo/service/main.ts',
      demo: 'demo/main.ts',
    },
  }),
}

function nodeBuild(outDir: string, { external, input }: { external: string[]; input: Versions }): UserConfig {
  return {
    ssr: { noExternal: true },
    build: {
      outDir,
      sourcemap: true,
      target: 'node20',
      ssr: true,
      minify: false,
      rolldownOptions: { input, external: [/^node:/, ...external.map((name) => new RegExp(`^${name}(/|$)`))] },
    },
  }
}

export default defineConfig(({ mode }) => ({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { __VERSION__: JSON.stringify(version) },
  ...builds[mode],
  test: {
    include: TIER === 'release' ? ['**/*.{release,engines}.test.ts'] : ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules', 'dist', 'packages', 'e2e', ...(TIER === 'edit' ? ['**/*.release.test.ts'] : [])],
    // These end a test that hangs; no test fails because the machine is slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    // A test that needs the second try is listed at the end of the run, and is a bug.
    retry: 1,
    // Tests wait for sockets and processes about as long as they work.
    maxWorkers: Math.max(3, availableParallelism()),
    // Warnings that tests cause on purpose; a listener still gets them.
    execArgv: ['--no-warnings'],
    // Files share a worker and what it has loaded: loading that anew for each was a third of the run. So none may leave
    // anything behind.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
}))

/** Writes the table of journeys beside the built pages, for tests that must not reach inside. */
function journeysFile(): Plugin {
  return {
    name: 'journeys-file',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'journeys.json', source: JSON.stringify(journeys, null, 2) })
    },
  }
}

type Versions = { [name: string]: string }

function readPackage(path: string): { version: string; dependencies: Versions; optionalDependencies: Versions } {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
}
