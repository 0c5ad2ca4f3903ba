// The examples of docs/lender/tenant-proxy.md, run as they stand: each in a process of its own, with the built package.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { startTestService, type TestService } from '../testing/proxy-service.ts'

const FOLDER = 'docs/examples'
const START_LIMIT_MS = 240_000
const page = readFileSync('docs/lender/tenant-proxy.md', 'utf8')

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

function environment(): Record<string, string> {
  const credentials = { TENANT_ID: 'demo-lender', CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret' }
  return { CREDIT_SERVICE_URL: service.url, ...credentials }
}

test.each(['credit-report-proxy', 'node'])('the page shows %s.mjs word for word', (name) => {
  expect(page).toContain(`${readFileSync(`${FOLDER}/${name}.mjs`, 'utf8').trimEnd()}\n\`\`\``)
})

test('the page links to known-applicant.mjs and begins as it does', () => {
  const withoutSpace = (text: string) => text.replace(/\s+/g, ' ')
  const example = readFileSync(`${FOLDER}/known-applicant.mjs`, 'utf8')
  const [begun = 'nothing'] = /const start = proxy\.begin\(\{[\s\S]*?\n {2}\}\)/.exec(example) ?? []
  expect(withoutSpace(page)).toContain(withoutSpace(begun))
  expect(page).toContain('(../examples/known-applicant.mjs)')
})

test.each(['express', 'fastify', 'hono', 'next-route'])('the page links to %s.mjs and shows its mount', (name) => {
  const mount = readFileSync(`${FOLDER}/${name}.mjs`, 'utf8')
    .split('\n')
    .find((line) => /\bto[A-Z]\w+\(proxy\)/.test(line))
  const row = page.split('\n').find((line) => line.includes(`(../examples/${name}.mjs)`))
  expect(row).toContain(`\`${mount}\``)
})

test.each(['bun', 'deno', 'worker'])('docs/lender/serverless.md shows %s.mjs word for word', (name) => {
  const example = readFileSync(`${FOLDER}/${name}.mjs`, 'utf8').trimEnd()
  expect(readFileSync('docs/lender/serverless.md', 'utf8')).toContain(`${example}\n\`\`\``)
})

test('docs/lender/frameworks.md shows koa.mjs word for word and names mounts that exist', () => {
  const frameworks = readFileSync('docs/lender/frameworks.md', 'utf8')
  expect(frameworks).toContain(readFileSync(`${FOLDER}/koa.mjs`, 'utf8'))
  const mounts = [...frameworks.matchAll(/^\| \[.*?\]\(\.\.\/examples\/([\w-]+)\).*? \| `([^`]+)` \|/gm)]
  expect(mounts.length).toBeGreaterThan(6)
  for (const [, project, mount] of mounts)
    expect(readFileSync(`${FOLDER}/${project}/${mount}`, 'utf8')).toContain('proxy')
})

test('the page explains every option', () => {
  const [, options = ''] =
    /export type TenantProxyOptions = \{([\s\S]*?)\n\}/.exec(readFileSync('tenant-proxy/options.ts', 'utf8')) ?? []
  const names = [...options.matchAll(/^ {2}(\w+)\??:/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([])
})

describe.each(['node', 'express', 'fastify', 'hono', 'known-applicant'])('%s.mjs', (name) => {
  test('serves a check and stops when asked', async () => {
    const port = await freePort()
    const child = spawn(process.execPath, [`${FOLDER}/${name}.mjs`], {
      env: { ...process.env, ...environment(), PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const complaints: string[] = []
    child.stderr.on('data', (chunk) => complaints.push(String(chunk)))
    const exited = once(child, 'exit')
    try {
      const origin = `http://localhost:${port}`
      const isUp = () =>
        fetch(`${origin}/credit-reports/current`).then(
          ({ status }) => status,
          () => complaints.join(''),
        )
      await expect.poll(isUp, { timeout: START_LIMIT_MS }).toBe(200)
      const browser = createTestBrowser((request) => fetch(request), { origin })
      const [, start] = / start="([^"]+)"/.exec(await (await fetch(origin)).text()) ?? []
      const { data } = await (await browser.generate({}, start ? { 'X-Credit-Report-Start': start } : {})).json()
      expect(data.status).toBe('authentication-required')
      const known = name === 'known-applicant' ? { lastName: 'Example', externalReference: 'order-1042' } : {}
      expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject(known)
      const body = { challengeId: data.challenge.challengeId, code: '123456' }
      const done = await browser.post(`/credit-reports/${data.creditReportId}/otp-challenge`, body)
      expect((await done.json()).data.status).toBe('complete')
    } finally {
      child.kill('SIGTERM')
      await exited
    }
  })
})

test('next-route.mjs answers what Next passes to it, with the address the reverse proxy saw', async () => {
  for (const [name, value] of Object.entries({ ...environment(), TRUSTED_HOPS: '1' })) vi.stubEnv(name, value)
  const route = `../${FOLDER}/next-route.mjs`
  const handlers: { [method: string]: (request: Request) => Promise<Response> } = await import(route)
  const browser = createTestBrowser((request) => handlers[request.method]?.(request) ?? Promise.resolve(new Response()))
  const forwarded = { 'X-Forwarded-For': '198.51.100.66, 203.0.113.7' }
  expect((await browser.generate({}, forwarded)).status).toBe(200)
  expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({ ipAddress: '203.0.113.7' })
  expect((await (await browser.get('/credit-reports/current')).json()).data.status).toBe('authentication-required')
})

test('client.mjs asks for a report and answers its challenge, as docs/lender/client.md shows it', async () => {
  const example = readFileSync(`${FOLDER}/client.mjs`, 'utf8')
  expect(readFileSync('docs/lender/client.md', 'utf8')).toContain(`${example.trimEnd()}\n\`\`\``)
  const child = spawn(process.execPath, [`${FOLDER}/client.mjs`], { env: { ...process.env, ...environment() } })
  const said: string[] = []
  child.stdout.on('data', (chunk) => said.push(String(chunk)))
  await once(child, 'exit')
  expect(said.join('')).toBe('authentication-required 999500\ncomplete\n')
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}
