// The frameworks and runtimes that the README names, for real: the newest that npm has, built without secrets, played
// in a browser.
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { openBooks } from '../faults/ledger.ts'
import { startFront } from '../lender/web-server.ts'
import { findFreePort } from '../program.ts'
import { type ServiceProcess, startServiceProcess } from '../service-process.ts'
import { createConsumer } from '../widget-pages/stage.ts'
import { binaryOf, createLenderProject, type LenderProject, newestOf, PROJECT_LIMIT_MS } from './lender-project.ts'

test.describe.configure({ timeout: PROJECT_LIMIT_MS, retries: 0 })

let service: ServiceProcess
let project: LenderProject | null = null
let origin: string
let env: Record<string, string>

/** A whole check, live, at a page of the project; nothing the page has to say about itself goes by unread. */
async function playCheck(page: Page, address: string): Promise<void> {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const books = await openBooks(service.url, (isSo) => expect.poll(isSo).toBe(true))
  const consumer = createConsumer(page, { page: () => origin })
  await page.goto(address)
  await consumer.giveDetails({ 'UK mobile number': books.mobileNumber })
  await consumer.giveAddress()
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  await consumer.giveCode(await books.newestCode())
  await consumer.seeHeading('Your credit report')
  expect(errors).toEqual([])
}

/** At a page of the project's own: what it knows of the customer is filled in, and it shows that it got the event. */
async function playCheckout(page: Page, path = '/'): Promise<void> {
  await page.context().clearCookies()
  await page.goto(`${origin}${path}`)
  await expect(page.getByLabel('Email address')).toHaveValue('sam@example.com')
  await playCheck(page, `${origin}${path}`)
  await expect(page.getByText('Thank you, your order can go on.')).toBeVisible()
}

// Most frameworks need a newer Node.js than the oldest that runs these tests.
const NODE = 'node@24'
const NEXT = ['next@latest', 'react@latest', 'react-dom@latest']
const REACT_ROUTER = [
  'react-router',
  '@react-router/dev',
  '@react-router/express',
  '@react-router/node',
  '@react-router/serve',
]
const ANGULAR = [
  'build',
  'cli',
  'common',
  'compiler',
  'compiler-cli',
  'core',
  'platform-browser',
  'platform-server',
  'router',
  'ssr',
]
const LENDERS: { [name: string]: (page: Page) => Promise<void> } = {
  async 'Next.js, built without secrets, by script tag and by import, and in development'(page) {
    project = createLenderProject(['next'], NEXT)
    project.run('next', ['build'])
    await project.serve('next', ['start'], origin, env)
    await playCheck(page, origin)
    await playCheckout(page, '/imported')
    await project.serve('next', ['dev'], origin, env)
    await playCheckout(page, '/imported')
  },
  async 'Next.js in a container: the standalone folder and nothing else'(page) {
    project = createLenderProject(['next'], NEXT)
    writeFileSync(join(project.folder, 'next.config.mjs'), `export default { output: 'standalone' }`)
    project.run('next', ['build'])
    const image = join(project.folder, 'image')
    renameSync(join(project.folder, '.next/standalone'), image)
    renameSync(join(project.folder, '.next/static'), join(image, '.next/static'))
    rmSync(join(project.folder, 'node_modules'), { recursive: true })
    await project.serve('node', [join(image, 'server.js')], origin, env)
    await playCheck(page, origin)
  },
  async 'a server in one file, bundled by esbuild'(page) {
    project = createLenderProject(['node.mjs', 'credit-report-proxy.mjs'], ['esbuild@latest'])
    project.run('esbuild', ['node.mjs', '--bundle', '--platform=node', '--format=esm', '--outfile=image/server.mjs'])
    rmSync(join(project.folder, 'node_modules'), { recursive: true })
    await project.serve('node', ['image/server.mjs'], origin, env)
    await playPlainPage(page)
  },
  async 'SvelteKit, built without secrets, rendered on the server, and in development'(page) {
    const packages = ['@sveltejs/kit', '@sveltejs/adapter-node', '@sveltejs/vite-plugin-svelte', 'svelte', 'vite']
    project = createLenderProject(['sveltekit'], [...packages.map((name) => `${name}@latest`), NODE])
    project.run('vite', ['build'])
    await project.serve('node', ['build'], origin, env)
    await playCheckout(page)
    await project.serve('vite', ['dev', ...onPort()], origin, env)
    await playCheckout(page)
  },
  async 'Vue, rendered on the server'(page) {
    project = createLenderProject(['vue-ssr'], ['vue@latest', '@vitejs/plugin-vue@latest', 'vite@latest'])
    project.run('vite', ['build', '--outDir', 'dist/client'])
    project.run('vite', ['build', '--outDir', 'dist/server', '--ssr', 'src/entry-server.js'])
    await project.serve('node', ['server.js'], origin, env)
    await typeBeforeHydration(page)
    await playCheckout(page)
  },
  async 'Nuxt, built without secrets, rendered on the server, and in development'(page) {
    project = createLenderProject(['nuxt'], ['nuxt@latest', NODE])
    project.run('nuxt', ['build'])
    await project.serve('node', ['.output/server/index.mjs'], origin, env)
    await playCheckout(page)
    await project.serve('nuxt', ['dev', ...onPort()], origin, env)
    await playCheckout(page)
  },
  async 'Astro, built without secrets, and in development'(page) {
    const overrides = newestOf('@astrojs/compiler-rs', binaryOf('@astrojs/compiler-binding-', 'gnu'))
    project = createLenderProject(['astro'], ['astro@latest', '@astrojs/node@latest', NODE], { overrides })
    project.run('astro', ['build'])
    await project.serve('node', ['dist/server/entry.mjs'], origin, env)
    await playCheckout(page)
    await project.serve('astro', ['dev', ...onPort()], origin, env)
    await playCheckout(page)
  },
  async 'React Router, built without secrets, rendered on the server, and in development'(page) {
    const react = ['react@latest', 'react-dom@latest', 'isbot@latest', 'vite@latest']
    project = createLenderProject(['react-router'], [...newestOf(...REACT_ROUTER), ...react, NODE])
    project.run('react-router', ['build'])
    await project.serve('react-router-serve', ['build/server/index.js'], origin, env)
    await forwardTheAddress(page)
    await playCheckout(page)
    await page.unrouteAll()
    await project.serve('react-router', ['dev', ...onPort()], origin, env)
    await playCheckout(page)
  },
  async 'Angular, built without secrets, rendered on the server, and in development'(page) {
    const family = newestOf(...ANGULAR.map((name) => `@angular/${name}`))
    project = createLenderProject(['angular'], [...family, 'express@latest', NODE])
    project.run('ng', ['build'])
    await project.serve('node', ['dist/server/server.mjs'], origin, env)
    await playCheckout(page)
    await project.serve('ng', ['serve', ...onPort()], origin, env)
    await playCheckout(page)
  },
  async Koa(page) {
    project = createLenderProject(['koa.mjs', 'credit-report-proxy.mjs'], ['koa@latest'])
    await project.serve('node', ['koa.mjs'], origin, env)
    await playPlainPage(page)
  },
  async Bun(page) {
    project = createLenderProject(['bun.mjs', 'credit-report-proxy.mjs'], ['bun@latest'])
    await project.serve('bun', ['bun.mjs'], origin, env)
    await playPlainPage(page)
  },
  async 'Bun, through node:http'(page) {
    project = createLenderProject(['node.mjs', 'credit-report-proxy.mjs'], ['bun@latest'])
    await project.serve('bun', ['node.mjs'], origin, env)
    await playPlainPage(page)
  },
  async Deno(page) {
    project = createLenderProject(
      ['deno.mjs', 'credit-report-proxy.mjs'],
      newestOf('deno', binaryOf('@deno/', 'glibc')),
    )
    await project.serve('deno', ['run', '--allow-all', 'deno.mjs'], origin, env)
    await playPlainPage(page)
  },
  async 'Cloudflare Workers'(page) {
    project = createLenderProject(['worker.mjs'], ['miniflare@latest', 'rolldown@latest'])
    cpSync('e2e/engines/miniflare.mjs', join(project.folder, 'miniflare.mjs'))
    await project.serve('node', ['miniflare.mjs'], origin, env)
    await playPlainPage(page)
  },
}

/** The widget's script arrives before the bundle, as it does on a phone: what was typed by then stays. */
async function typeBeforeHydration(page: Page): Promise<void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(origin, { waitUntil: 'commit' })
  await page.getByLabel('First name').fill('Typed early')
  await expect(page.locator('main[data-hydrated=false]')).toBeVisible()
  release()
  await expect(page.locator('main[data-hydrated=true]')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Typed early')
  await page.unrouteAll()
}

/** For development servers that do not read PORT. */
const onPort = () => ['--port', new URL(origin).port]

/** As the reverse proxy does in front of a server that hides the connection. */
async function forwardTheAddress(page: Page): Promise<void> {
  await page.route(`${origin}/credit-reports**`, async (route) => {
    await route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': '203.0.113.7' } })
  })
}

/** For servers that have the mount and no pages: a front of ours has those. */
async function playPlainPage(page: Page): Promise<void> {
  const front = await startFront(origin)
  try {
    await playCheck(page, front.page())
  } finally {
    await front.close()
  }
}

test.beforeEach(async () => {
  service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '100000' })
  const port = await findFreePort()
  origin = `http://localhost:${port}`
  const credentials = { CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret' }
  env = { CREDIT_SERVICE_URL: service.url, ...credentials, PORT: String(port), ORIGIN: origin }
})
test.afterEach(async () => {
  await project?.remove()
  project = null
  await service.stop()
})

// Their packages are large: they are installed when `npm run engines` asks.
for (const [name, play] of process.env.EVERY_ENGINE === '1' ? Object.entries(LENDERS) : []) {
  test(`${name}: a whole check`, ({ page }) => play(page))
}
