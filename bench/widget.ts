// The widget's weight and speed, against the least its own libraries allow and against a form a lender would write by
// hand.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { build, type Plugin } from 'vite'
import { browserLaunchOptions } from '../scripts/ensure-browser.mjs'
import { fetchOldChromiums, oldChromium } from '../scripts/old-chromium.mjs'
import { absolute, compare, median } from './measure.ts'
import { PHONE_SCREEN, slowToAPhone } from './phone.ts'
import type { Row, Target } from './row.ts'
import { WIDGET } from './targets.ts'
import { LONG_TASK_MS, measureLongReport } from './widget-peers/long-report.ts'

const ROUNDS = 25

const PEERS_FOLDER = 'node_modules/.cache/widget-peers'
const PEERS = [
  'react@19.3.1',
  'react-dom@19.3.1',
  'react-hook-form@7.91.0',
  '@hookform/resolvers@7.0.5',
  'input-otp@1.5.0',
  'zod@4.6.7',
]

export const title = 'widget'

export async function run(): Promise<Row[]> {
  const scripts = {
    widget: readWidget('widget.js'),
    floor: await buildPeer('floor-form.jsx'),
    react: await buildPeer('react-form.jsx'),
  }
  const browser = await chromium.launch(browserLaunchOptions())
  const loads = await measureLoads(browser, scripts)
  const longestTasksMs = await measureLongReport(browser)
  await browser.close()
  const oldest = await measureOnOldest(scripts)
  const bytes = (name: keyof typeof scripts) => brotliCompressSync(scripts[name]).length
  const [widget, floor, react] = [loads.widget, loads.floor, loads.react]
  return [
    absolute('widget.js, brotli', sizeOf('widget.js'), 'B', WIDGET.mainBytes),
    absolute('everything a journey downloads, brotli', journeyBytes(isOfEnglish), 'B', WIDGET.journeyBytes),
    absolute('the same in Welsh', journeyBytes(isOfWelsh), 'B', WIDGET.welshJourneyBytes),
    against(
      'widget.js against a React form',
      'B',
      sizeOf('widget.js'),
      'React 19, react-hook-form, zod, input-otp',
      bytes('react'),
      null,
    ),
    against('widget.js against the floor', 'B', sizeOf('widget.js'), 'preact, signals, zod/mini', bytes('floor'), null),
    against('requests before the first input', '', widget.requests, 'one script', 1, WIDGET.requests),
    against('layout shift', '', widget.shift, 'none', 1, WIDGET.shift),
    against('first input visible', 'ms', widget.inputMs, 'the floor', floor.inputMs, WIDGET.firstInputOfFloor),
    against('first input visible', 'ms', widget.inputMs, 'the React form', react.inputMs, WIDGET.firstInputOfReact),
    ...oldest,
    against(
      'script until the first input',
      'ms',
      widget.scriptMs,
      'the React form',
      react.scriptMs,
      WIDGET.scriptOfReact,
    ),
    against('script until the first input', 'ms', widget.scriptMs, 'the floor', floor.scriptMs, null),
    against(
      `longest task of a report of 500 accounts, median of ${longestTasksMs.map((ms) => ms.toFixed(1)).join(', ')}`,
      'ms',
      median(longestTasksMs),
      'a long task',
      LONG_TASK_MS,
      WIDGET.longestTask,
    ),
  ]
}

/** The same on the oldest Chromium that can be had; no rows where there is none. */
async function measureOnOldest(scripts: { widget: string; floor: string }): Promise<Row[]> {
  fetchOldChromiums()
  const options = oldChromium('chromium-116')
  if (options === null) return []
  const browser = await chromium.launch(options)
  const { widget, floor } = await measureLoads(browser, { widget: scripts.widget, floor: scripts.floor })
  await browser.close()
  const name = 'first input visible, Chromium 116'
  return [against(name, 'ms', widget.inputMs, 'the floor', floor.inputMs, null)]
}

function against(name: string, unit: string, value: number, what: string, floor: number, target: Target | null): Row {
  return compare(name, { value, unit, against: what, floor, target })
}

function readWidget(file: string): string {
  return readFileSync(join('dist/widget', file), 'utf8')
}

const manifest: { [file: string]: { brotli: number } } = JSON.parse(readWidget('manifest.json'))

function sizeOf(file: string): number {
  return manifest[file]?.brotli ?? Number.NaN
}

/** The files that the script tag loads; the rest is for bundlers. */
function journeyBytes(isPart: (chunk: string) => boolean): number {
  const chunks = Object.keys(manifest).filter((file) => /^(?!module-)[\w-]+\.[\w-]{10}\.js$/.test(file) && isPart(file))
  return ['widget.js', ...chunks].reduce((sum, file) => sum + sizeOf(file), 0)
}

/**
 * All but what developers ask for, what comes with a search for addresses, an address filled in as lines or a list of
 * countries, and what is loaded when someone opens it in a report.
 */
function isOfJourney(chunk: string): boolean {
  return !/^(?:diagnose|calling-codes|split-street|(?:en-)?find-address|help|strings-cy)\./.test(chunk)
}

function isOfEnglish(chunk: string): boolean {
  return isOfJourney(chunk) && !chunk.startsWith('cy.')
}

function isOfWelsh(chunk: string): boolean {
  return isOfJourney(chunk) && !chunk.startsWith('en-check.')
}

/**
 * Built as a lender would build it: one minified script. Its libraries are fetched once, and are no dependency of this
 * project.
 */
async function buildPeer(entry: string): Promise<string> {
  if (!existsSync(join(PEERS_FOLDER, 'node_modules/react-dom')))
    execFileSync('npm', ['install', '--prefix', PEERS_FOLDER, '--no-save', '--no-audit', '--no-fund', ...PEERS], {
      stdio: 'inherit',
    })
  const importSource = entry.startsWith('react') ? 'react' : 'preact'
  const result = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource, development: false } },
    plugins: [importSource === 'react' && fromPeers()],
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: `bench/widget-peers/${entry}`, formats: ['iife'], name: 'unused', fileName: () => 'form.js' },
    },
  })
  const [output] = Array.isArray(result) ? result : []
  const chunk = output?.output.find((file) => file.type === 'chunk')
  if (chunk?.type !== 'chunk') throw new Error(`${entry} built to nothing`)
  return chunk.code
}

/**
 * Finds the form's libraries where they were fetched to. Vite looks beside the importer only where that is a file; else
 * it finds this project's React, and two of them draw no form.
 */
function fromPeers(): Plugin {
  const importer = join(process.cwd(), PEERS_FOLDER, 'node_modules/react-dom/package.json')
  return {
    name: 'from-peers',
    enforce: 'pre',
    resolveId(source, from) {
      return from?.includes('/bench/') && /^[\w@]/.test(source)
        ? this.resolve(source, importer, { skipSelf: true })
        : null
    },
  }
}

type Load = { inputMs: number; scriptMs: number; requests: number; shift: number }

/** Medians of interleaved rounds, so that a busy moment of the machine meets all of them. */
async function measureLoads<Name extends string>(
  browser: Browser,
  scripts: { [name in Name]: string },
): Promise<{ [name in Name]: Load }> {
  const names = Object.keys(scripts) as Name[]
  const compressed = new Map(names.map((name) => [name as string, brotliCompressSync(scripts[name])]))
  const server = createServer((request, response) => {
    const [, name = '', file = ''] = (request.url ?? '').split('/')
    if (file === 'script.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript', 'Content-Encoding': 'br' })
      response.end(compressed.get(name))
    } else if (file === 'page') {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      const place = name === 'widget' ? '<credit-report-widget></credit-report-widget>' : '<div id="form"></div>'
      response.end(
        `<!doctype html><title>x</title><style>credit-report-widget:not(:defined), #form { display: block; min-height: 1100px }</style>${place}<p>Footer</p><script src="/${name}/script.js"></script>`,
      )
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const loads = Object.fromEntries(names.map((name) => [name, [] as Load[]])) as { [name in Name]: Load[] }
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const name of names) loads[name].push(await loadOnce(browser, `${origin}/${name}/page`))
  } finally {
    server.close()
  }
  return Object.fromEntries(names.map((name) => [name, medians(loads[name])])) as { [name in Name]: Load }
}

async function loadOnce(browser: Browser, address: string): Promise<Load> {
  const context = await browser.newContext({ viewport: PHONE_SCREEN })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await slowToAPhone(session)
  await session.send('Performance.enable')
  await page.addInitScript(() => {
    const state = { inputMs: 0, shift: 0 }
    Reflect.set(window, 'bench', state)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) state.shift += Number(Reflect.get(entry, 'value'))
    }).observe({ type: 'layout-shift', buffered: true })
    const look = () => {
      const root = document.querySelector('credit-report-widget')?.shadowRoot ?? document
      if (root.querySelector('input')) state.inputMs = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  const before = await scriptSeconds()
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForFunction(() => Reflect.get(window, 'bench').inputMs > 0)
  const scriptMs = (await scriptSeconds()) * 1000 - before * 1000
  const { inputMs, shift, requests } = await page.evaluate(() => {
    const { inputMs, shift } = Reflect.get(window, 'bench')
    const requests = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < inputMs).length
    return { inputMs, shift, requests }
  })
  await context.close()
  return { inputMs, scriptMs, requests, shift }

  async function scriptSeconds(): Promise<number> {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0
  }
}

function medians(loads: readonly Load[]): Load {
  return {
    inputMs: median(loads.map(({ inputMs }) => inputMs)),
    scriptMs: median(loads.map(({ scriptMs }) => scriptMs)),
    requests: median(loads.map(({ requests }) => requests)),
    shift: median(loads.map(({ shift }) => shift)),
  }
}
