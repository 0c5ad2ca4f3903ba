// `npm run screenshots`: the pictures of README and docs from the running demo, so that they stay true, and every
// screen of the widget on a phone and a desktop, light and dark, in dist/screens, to be looked at. A name takes one of
// them: `npm run screenshots -- screens`.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { buildIfStale } from './build.mjs'
import { browserLaunchOptions, ensureBrowser } from './ensure-browser.mjs'
import { root } from './root.mjs'

const FOLDER = join(root, 'docs/images')
const DESKTOP = { name: 'desktop', viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1 }
const WIDE = { name: 'desktop', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 }
const PHONE = { name: 'phone', viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true }

/** Each picture of README: what to open, on which screen, and what to do before the shutter. */
const PICTURES = [
  { name: 'report', path: '/', screen: PHONE, prepare: untilReport },
  { name: 'preview', path: '/preview#panel=requests', screen: WIDE, prepare: playPreview },
  { name: 'today', path: '/console', screen: DESKTOP, prepare: signIn },
  { name: 'check', path: '/console/checks', screen: DESKTOP, prepare: openCheck },
]

buildIfStale()
await ensureBrowser()
mkdirSync(FOLDER, { recursive: true })
const only = process.argv[2]
if (!only || only === 'screens') takeScreens()
const dataDir = mkdtempSync(join(tmpdir(), 'credit-report-screenshots-'))
const demo = await startDemo()
const browser = await chromium.launch(browserLaunchOptions())
try {
  for (const picture of PICTURES.filter(({ name }) => !only || name === only)) await take(picture)
} finally {
  await browser.close()
  demo.child.kill('SIGINT')
  await once(demo.child, 'exit')
  rmSync(dataDir, { recursive: true, force: true })
}

function takeScreens() {
  const { status } = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'test'], {
    cwd: root,
    env: { ...process.env, PICTURES: '1' },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('not every screen could be reached')
}

async function take({ name, path, screen, prepare }) {
  const { name: size, ...options } = screen
  const context = await browser.newContext({
    ...options,
    colorScheme: 'light',
    baseURL: path.startsWith('/console') ? demo.service : demo.shop,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(path)
  await prepare(page)
  const file = `${name}-${size}-light.png`
  await page.screenshot({ path: join(FOLDER, file) })
  await context.close()
  console.log(`docs/images/${file}`)
}

async function untilCode(page) {
  await page.getByText('How to steer this demonstration').click()
  await page.getByRole('button', { name: 'Fill the form for me' }).click()
  await page.getByText('How to steer this demonstration').click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Where do you live?' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Agree and check my credit report' }).click()
  await page.getByRole('heading', { name: 'Check your phone' }).waitFor()
  await findText(page).waitFor()
  await scrollToWidget(page)
}

async function untilReport(page) {
  await untilCode(page)
  const code = /\b\d{6}\b/.exec(await findText(page).innerText())[0]
  await page.getByRole('button', { name: 'Your phone' }).click()
  await page.getByLabel('Security code').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Approved, in principle' }).waitFor()
  await page.getByRole('heading', { name: 'Your credit report' }).waitFor()
  await page.evaluate(() => document.activeElement?.blur())
  // The report itself: neither the decision above it nor the phone in front of it.
  await page.evaluate(() => {
    document.querySelector('.phone')?.remove()
    const top = document.querySelector('credit-report-widget').getBoundingClientRect().top
    window.scrollBy({ top: top - 16, behavior: 'instant' })
  })
}

async function playPreview(page) {
  const widget = page.frameLocator('iframe')
  await page.getByRole('button', { name: 'Play it' }).click()
  await widget.getByRole('heading', { name: 'Your credit report' }).waitFor()
  await page.getByText('/demo-lender/v1/credit-reports', { exact: false }).last().click()
}

async function signIn(page) {
  await page.getByLabel('E-mail address').fill('sam@demo-lender.example')
  await page.getByLabel('Password').fill('demo-password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** The newest check that ended with a report. */
async function openCheck(page) {
  await signIn(page)
  await page.goto('/console/checks?status=complete')
  await page.locator('main').getByRole('row').getByRole('link').first().click()
  await page.getByRole('heading', { name: /^Check / }).waitFor()
}

function findText(page) {
  return page.getByRole('log', { name: 'Text messages' }).getByRole('button').first()
}

function scrollToWidget(page) {
  return page.evaluate(() => {
    const top = document.querySelector('.check, credit-report-widget').getBoundingClientRect().top
    window.scrollBy({ top: top - 24, behavior: 'instant' })
  })
}

async function startDemo() {
  const child = spawn(process.execPath, [join(root, 'dist/programs/demo.js')], {
    env: { ...process.env, PORT: '0', SHOP_PORT: '0', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const text of child.stdout) {
    printed += text
    const shop = /Shop +(http\S+)/.exec(printed)?.[1]
    const service = /Service +(http\S+)/.exec(printed)?.[1]
    if (shop && service) return { child, shop, service }
  }
  throw new Error(`the demo did not start:\n${printed}`)
}
