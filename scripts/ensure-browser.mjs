// Finds a Chromium the tests can drive, or gets one. A browser counts only once it has been launched and has drawn a
// page.
//
//   E2E_CHROMIUM or CHROME_BIN → the last answer → Playwright's own → installed Chrome, Edge, Chromium
//   → Playwright's download → the system's package manager (Debian, as root) → one clear line
//
// Beside the whole browser it looks for a headless shell: the same engine without the browser around it opens a page
// for a quarter of the processor time. Where there is none, the whole browser does everything.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from './root.mjs'

/** The file that keeps the browsers that were found. */
export const ANSWER = join(root, 'node_modules/.cache/e2e-browser.json')
const LAUNCH_LIMIT_MS = 60_000
const PROBE_LIMIT_MS = 4_000
const DOWNLOAD_HOST = 'https://cdn.playwright.dev/'
const WHOLE = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']

/** Resolves once the answer file names browsers that work; ends the process with one line when none can be had. */
export async function ensureBrowser() {
  if (await find()) return
  for (const [how, get] of [
    ['Playwright’s own download', () => download('chromium')],
    ['the system’s package manager', () => installPackages('chromium', 'chromium-headless-shell', 'fonts-liberation')],
  ]) {
    console.log(`npm test: no browser found, trying ${how}`)
    if ((await get()) && (await find())) return
  }
  console.error(
    'npm test: install Chrome or Chromium, or set E2E_CHROMIUM to the path of one (Debian: apt-get install chromium)',
  )
  process.exit(1)
}

/** Playwright's launch options for most tests; throws when `ensureBrowser` has not run. */
export function browserLaunchOptions() {
  return readAnswer().shell
}

/** The same for tests of what a headless shell leaves out, such as the browser's own address book. */
export function wholeBrowserLaunchOptions() {
  return readAnswer().whole
}

function readAnswer() {
  return JSON.parse(readFileSync(ANSWER, 'utf8'))
}

async function find() {
  const asked = process.env.E2E_CHROMIUM ?? process.env.CHROME_BIN
  const last = existsSync(ANSWER) && !asked ? readAnswer() : {}
  const whole = await firstThatWorks(
    asked
      ? [{ executablePath: asked }]
      : [last.whole, { channel: 'chromium' }, { channel: 'chrome' }, { channel: 'msedge' }, ...onPath(WHOLE)],
  )
  const shell = asked ? whole : await firstThatWorks([last.shell, {}, ...onPath(SHELLS), whole])
  if (!shell) return false
  mkdirSync(dirname(ANSWER), { recursive: true })
  writeFileSync(ANSWER, JSON.stringify({ shell, whole: whole ?? shell }))
  return true
}

/** The paths of these commands, as a shell would look for them. */
export function onPath(commands) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return commands
    .flatMap((command) => folders.map((folder) => join(folder, command)))
    .filter(existsSync)
    .map((executablePath) => ({ executablePath }))
}

async function firstThatWorks(candidates) {
  for (const candidate of candidates) if (candidate && (await works(chromium, candidate))) return candidate
  return null
}

/** True when a browser started with these options draws a page. */
export async function works(browserType, options) {
  try {
    const browser = await browserType.launch({ ...options, timeout: LAUNCH_LIMIT_MS })
    const page = await browser.newPage()
    await page.setContent('<title>ready</title>')
    const title = await page.title()
    await browser.close()
    return title === 'ready'
  } catch {
    return false
  }
}

/** Playwright's own builds of these browsers; false where its host cannot be reached. */
export async function download(...browsers) {
  // The installer retries an unreachable host for a long time; a short look first says no at once.
  const behindProxy = process.env.HTTPS_PROXY ?? process.env.https_proxy
  if (!behindProxy) {
    try {
      await fetch(DOWNLOAD_HOST, { method: 'HEAD', signal: AbortSignal.timeout(PROBE_LIMIT_MS) })
    } catch {
      return false
    }
  }
  const withDependencies = process.getuid?.() === 0 ? ['--with-deps'] : []
  const install = ['node_modules/@playwright/test/cli.js', 'install', ...withDependencies, ...browsers]
  return succeeds(process.execPath, install)
}

/**
 * The system's own packages. Only on Debian proper, as root: elsewhere a package of this name may be a stub for another
 * packaging system.
 */
export async function installPackages(...packages) {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  if (!/^ID=debian$/m.test(release) || process.getuid?.() !== 0) return false
  const install = ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', ...packages]
  return succeeds('apt-get', install) || (succeeds('apt-get', ['update']) && succeeds('apt-get', install))
}

function succeeds(command, args) {
  return (
    spawnSync(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0
  )
}

if (process.argv[1] === import.meta.filename) await ensureBrowser()
