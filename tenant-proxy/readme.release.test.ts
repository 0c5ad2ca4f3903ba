// The pages of the READMEs, as printed: the packages are packed and installed, the service is set up with the
// operator's commands, the lender's page is served, and one check is played.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { freePort } from '../testing/throwaway-postgres.ts'

const START_LIMIT_MS = 240_000
const CLI = 'node_modules/credit-report-service/dist/node/cli.js'

const readPage = (page: string) => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  return (language: string) => blocks.filter(([, each]) => each === language).map(([, , code = '']) => code)
}
const [lender, operator, project, agents] = [
  ...['packages/README-widget.md', 'packages/README-service.md', 'README.md', 'packages/AGENTS-widget.md'],
].map(readPage)

let folder: string
const started: { stop(): Promise<unknown> }[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  execFileSync('npm', ['pack', '--workspace', 'credit-report-widget', '--pack-destination', folder], { stdio: 'pipe' })
  const install = lender?.('sh').find((code) => code.startsWith('npm install')) ?? 'exit 1'
  execFileSync('bash', ['-ec', install], { cwd: folder, stdio: 'pipe' })
  // Its dependencies are those of this folder.
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(resolve('packages/credit-report-service'), join(folder, 'node_modules/credit-report-service'))
})
afterAll(async () => {
  for (const each of started.toReversed()) await each.stop()
  rmSync(folder, { recursive: true })
})

function start(args: string[], environment: { [name: string]: string }) {
  const { NODE_ENV: _, ...inherited } = process.env
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const printed: string[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  started.push({
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  })
  return printed
}

const isUp = (url: string) => () =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

/** Plays a check in test mode on a lender's server, as the widget does. */
async function playCheck(origin: string) {
  const browser = createTestBrowser((request) => fetch(request), { origin })
  await browser.get('/')
  const details = { lastName: 'Example', dateOfBirth: '1985-03-27' }
  const { data: begun } = await (await browser.generate(details)).json()
  expect(begun.status).toBe('authentication-required')
  const code = { challengeId: begun.challenge.challengeId, code: '123456' }
  const ended = await browser.post(`/credit-reports/${begun.creditReportId}/otp-challenge`, code)
  expect((await ended.json()).data.status).toBe('complete')
  return { browser, creditReportId: begun.creditReportId }
}

test('the operator’s commands, the lender’s page and the page for programs end in a completed check', async () => {
  const [servicePort, shopPort, agentsPort] = [await freePort(), await freePort(), await freePort()]
  const service = `http://localhost:${servicePort}`
  const [serve, ...commands] = (operator?.('sh')[0] ?? '').trim().split('\n')
  expect(serve).toMatch(/^npx credit-report-service +#/)
  start([CLI], { PORT: String(servicePort) })
  await expect.poll(isUp(`${service}/healthz`), { timeout: START_LIMIT_MS }).toBe(200)
  const said = commands.map((command) =>
    execFileSync('bash', ['-ec', command.replace('npx credit-report-service', `node ${CLI}`)], {
      cwd: folder,
      encoding: 'utf8',
    }),
  )
  const find = (name: string) => new RegExp(`^client ${name} +(\\S+)$`, 'm').exec(said.join('\n'))?.[1] ?? ''
  const [clientId, clientSecret] = [find('id'), find('secret')]

  const origin = `http://localhost:${shopPort}`
  writeFileSync(join(folder, 'server.mjs'), lender?.('js')[0] ?? '')
  const environment = {
    CREDIT_SERVICE_URL: service,
    TENANT_ID: 'acme',
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  }
  const printed = start(['server.mjs'], { ...environment, PORT: String(shopPort) })
  await expect.poll(isUp(origin), { timeout: START_LIMIT_MS }).toBe(200)
  const page = await (await fetch(origin)).text()
  const sources = [...page.matchAll(/<script async src="([^"]+)"/g)].map(([, source = '']) => source)
  expect(sources).toHaveLength(2)
  for (const source of sources) expect((await fetch(new URL(source, origin))).status).toBe(200)
  expect(page).toContain('<credit-report-widget endpoint="/credit-reports">')

  const { creditReportId } = await playCheck(origin)
  await expect.poll(() => printed.join(''), { timeout: START_LIMIT_MS }).toContain(`report ${creditReportId}`)

  // As printed for programs: the handler, the page, and the decision by the lender's own session.
  writeFileSync(join(folder, 'agents.mjs'), agents?.('js')[0] ?? '')
  start(['agents.mjs'], { ...environment, PORT: String(agentsPort) })
  const shop = `http://localhost:${agentsPort}`
  await expect.poll(isUp(shop), { timeout: START_LIMIT_MS }).toBe(200)
  const { browser } = await playCheck(shop)
  expect(await (await browser.get('/decision')).text()).toBe('approved')
  const stranger = createTestBrowser((request) => fetch(request), { origin: shop })
  await stranger.get('/')
  expect(await (await stranger.get('/decision')).text()).toBe('not decided: none')
})

test('the service as a part of another program answers', () => {
  writeFileSync(join(folder, 'program.mjs'), operator?.('js')[0] ?? '')
  const ask = `import program from './program.mjs'
const { status } = await program.fetch(new Request('http://localhost/healthz'))
console.log(status)
process.exit()`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', ask], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: join(folder, 'program-data') },
  })
  expect(said.trim().split('\n').at(-1)).toBe('200')
})

test('the project’s own page is the same', () => {
  expect(project?.('js')).toContain(lender?.('js')[0])
})
