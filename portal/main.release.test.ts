// The process itself: how it starts, what it says, how it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const bundle = 'dist/main-test'
const folder = mkdtempSync(join(tmpdir(), 'main-'))

beforeAll(() =>
  build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: 'demo/service/main.ts', outDir: bundle, target: 'node20' },
  }),
)
afterAll(() => {
  rmSync(bundle, { recursive: true })
  rmSync(folder, { recursive: true })
})

type Running = {
  process: ChildProcess
  output(): string
  errors(): string
  exited: Promise<number | null>
  url: Promise<string>
}

const running: Running[] = []
afterEach(() => Promise.all(running.splice(0).map(({ process, exited }) => process.kill('SIGKILL') && exited)))

function start(environment: { [name: string]: string }): Running {
  const child = spawn(process.execPath, [join(bundle, 'main.js')], {
    env: { PATH: process.env.PATH, PORT: '0', DEMO: '1', DATA_DIR: join(folder, 'data'), ...environment },
  })
  let output = ''
  let errors = ''
  child.stderr.on('data', (data) => {
    errors += data
  })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data
      const listening = /"event":"serving","url":"([^"]+)"/.exec(output)?.[1]
      // By address: not every machine's "localhost" is IPv4.
      if (listening) resolve(listening.replace('localhost', '127.0.0.1'))
    })
    exited.then(() => reject(new Error(`it ended: ${errors}`)))
  })
  url.catch(() => {})
  const started = { process: child, output: () => output, errors: () => errors, exited, url }
  running.push(started)
  return started
}

async function tokenOf(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/oauth/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${btoa('demo-lender:demo-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return (await response.json()).access_token
}

test('it starts on an empty folder, serves, and ends well', async () => {
  const service = start({})
  const url = await service.url
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const token = await tokenOf(url)
  const wallet = await fetch(`${url}/demo-lender/v1/wallet`, { headers: { Authorization: `Bearer ${token}` } })
  expect(wallet.status).toBe(200)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  expect(metrics).toContain('nodejs_eventloop_lag_seconds')
  expect(metrics).toContain('crs_wallet_credits{state="spendable"} 2000000')

  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(service.errors()).toBe('')
  // The start, the portal's notices and every request: a line is a JSON object.
  const lines = service.output().trimEnd().split('\n')
  expect(lines.map((line) => typeof JSON.parse(line).event)).toEqual(lines.map(() => 'string'))
  expect(service.output()).not.toContain(token)
  expect(service.output()).not.toContain('demo-secret')
})

test('a token outlives a restart', async () => {
  const first = start({ PUBLIC_URL: 'https://service.example' })
  const token = await tokenOf(await first.url)
  first.process.kill('SIGKILL')
  await first.exited
  const second = start({ PUBLIC_URL: 'https://service.example' })
  const headers = { Authorization: `Bearer ${token}` }
  expect((await fetch(`${await second.url}/demo-lender/v1/wallet`, { headers })).status).toBe(200)
})

test('on a port of its own choice, it knows how others reach it', async () => {
  const { url, output } = start({ DATA_DIR: join(folder, 'any-port') })
  const document = await (await fetch(`${await url}/.well-known/oauth-authorization-server`)).json()
  expect(output()).toContain(`"url":"${document.issuer}"`)
})

describe('what keeps it from starting is one line and exit code 1', () => {
  test.each<[string, { [name: string]: string }, RegExp]>([
    ['a bad setting', { PORT: 'x' }, /^service: PORT: expected .*\n$/],
    ['the demo in production', { NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(32) }, /^service: DEMO: .*\n$/],
    [
      'the wrong key for the data',
      { SECRET_KEY: 'another key that is just as long as it must be' },
      /^service: SECRET_KEY: .*\n$/,
    ],
    [
      'a folder where the system takes none',
      { DATA_DIR: '/proc/no-such-folder', SECRET_KEY: 'k'.repeat(32) },
      /^service: DATA_DIR: expected a folder .*\n$/,
    ],
    [
      'a folder that can only be read',
      { DATA_DIR: '/proc/self', SECRET_KEY: 'k'.repeat(32) },
      /^service: DATA_DIR: expected a folder that this user can make, read and write, got .*\n$/,
    ],
    [
      'a file in the folder’s place, without a key to read first',
      { DATA_DIR: import.meta.filename, SECRET_KEY: 'k'.repeat(32) },
      /^service: DATA_DIR: expected a folder .*\n$/,
    ],
    ['an address of another machine', { HOST: '192.0.2.1' }, /^service: HOST: expected .* \(EADDRNOTAVAIL\)\n$/],
    [
      'a database that does not answer',
      { DATABASE_URL: 'postgres://127.0.0.1:1/reports' },
      /^service: DATABASE_URL: no PostgreSQL answers there \(ECONNREFUSED\)\n$/,
    ],
  ])('%s', async (_name, environment, line) => {
    const service = start({ DATA_DIR: join(folder, 'data'), ...environment })
    expect(await service.exited).toBe(1)
    expect(service.errors()).toMatch(line)
  })

  test.each<[string, 'PORT' | 'DATA_DIR', RegExp]>([
    ['a port that is taken', 'PORT', /^service: PORT: another process listens on \d+ already; .*\n$/],
    ['a folder that is in use', 'DATA_DIR', /^service: another service process .*\n$/],
  ])('%s', async (_name, variable, line) => {
    const taken = { DATA_DIR: join(folder, 'taken'), PORT: '0' }
    const first = start(taken)
    taken.PORT = new URL(await first.url).port
    const second = start({ [variable]: taken[variable] })
    expect(await second.exited).toBe(1)
    expect(second.errors()).toMatch(line)
  })
})

describe('a signal', () => {
  test('loses no request of clients in mid-conversation', async () => {
    const service = start({ RATE_LIMIT_PER_MINUTE: '1000000' })
    const { port } = new URL(await service.url)
    const agent = new Agent({ keepAlive: true, maxSockets: 10 })
    const ask = () =>
      new Promise<string | undefined>((resolve, reject) => {
        const asking = request({ agent, host: '127.0.0.1', port, path: '/healthz' }, (response) => {
          response.resume().on('end', () => resolve(response.headers.connection))
        })
        asking.on('error', reject).end()
      })
    let answered = 0
    // Each client asks until the connection ends.
    const clients = Array.from({ length: 10 }, async () => {
      while ((await ask()) !== 'close') answered += 1
    })
    while (answered < 200) await new Promise((resolve) => setTimeout(resolve, 5))
    service.process.kill('SIGTERM')
    await Promise.all(clients)
    expect(await service.exited).toBe(0)
  })

  test('ends it although the reader of its log has stalled', async () => {
    const service = start({ RATE_LIMIT_PER_MINUTE: '1000000' })
    const url = await service.url
    service.process.stdout?.pause()
    // More lines than any pipe holds.
    for (let round = 0; round < 60; round += 1) {
      await Promise.all(
        Array.from({ length: 20 }, () => fetch(`${url}/.well-known/jwks.json`).then((response) => response.text())),
      )
    }
    service.process.kill('SIGTERM')
    await service.exited
    expect(service.output()).not.toContain('"stopping"')
    // A thousand requests take a busy machine long.
  })

  test('a second one does not wait', async () => {
    const service = start({})
    const { port } = new URL(await service.url)
    const upload = connect(Number(port), '127.0.0.1')
    upload.on('error', () => {})
    upload.write('POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n')
    upload.write('Content-Type: application/x-www-form-urlencoded\r\n\r\n')
    service.process.kill('SIGTERM')
    while (!service.output().includes('stopping')) await new Promise((resolve) => setTimeout(resolve, 5))
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(1)
  })
})
