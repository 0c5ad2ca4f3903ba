import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { startTestService, type TestService } from '../testing/proxy-service.ts'
import {
  loadFindAddresses,
  type ProcessEnvironment,
  type ProxyProcess,
  readProcessSettings,
  startProxyProcess,
} from './process.ts'

const needed = {
  CREDIT_SERVICE_URL: 'http://localhost:4100',
  TENANT_ID: 'demo-lender',
  CLIENT_ID: 'demo-lender',
  CLIENT_SECRET: 'demo-secret',
}

describe('settings', () => {
  test('what is needed is enough, behind one reverse proxy', () => {
    expect(readProcessSettings(needed)).toEqual({
      host: '127.0.0.1',
      port: 4300,
      options: {
        service: 'http://localhost:4100',
        tenantId: 'demo-lender',
        credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
        trustedHops: 1,
      },
      decideSecret: null,
    })
  })

  test('everything else is as the proxy’s own options', () => {
    const { options } = readProcessSettings({
      ...needed,
      MOUNT_PATH: '/check',
      BUREAUS: 'equifax, experian',
      EXPOSE_REPORT: 'none',
      TEST: '1',
      TRUSTED_HOPS: '2',
      REFERENCE_HEADER: 'X-Order',
    })
    expect(options).toMatchObject({
      path: '/check',
      bureaus: ['equifax', 'experian'],
      exposeReport: 'none',
      test: true,
      trustedHops: 2,
    })
    const request = new Request('http://localhost/', { headers: { 'X-Order': 'order-9' } })
    expect(options.externalReference?.(request, {})).toBe('order-9')
  })

  test.each([
    ['true', true],
    ['1', true],
    ['block', 'block'],
    ['false', false],
    ['0', false],
  ])('TEST=%s is the option %s', (TEST, test) => {
    expect(readProcessSettings({ ...needed, TEST }).options.test).toBe(test)
  })

  test('a secret may be in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
    writeFileSync(join(folder, 'secret'), 'from a file\n')
    const { CLIENT_SECRET: _none, ...rest } = needed
    const { options } = readProcessSettings({ ...rest, CLIENT_SECRET_FILE: join(folder, 'secret') })
    expect(options.credentials).toMatchObject({ clientSecret: 'from a file' })
    rmSync(folder, { recursive: true })
  })

  test.each<[string, ProcessEnvironment, string]>([
    ['no tenant', { ...needed, TENANT_ID: '' }, 'TENANT_ID: expected a value, got nothing'],
    ['no secret', { ...needed, CLIENT_SECRET: ' ' }, 'CLIENT_SECRET: expected a value'],
    ['a port that is none', { ...needed, PORT: 'http' }, 'PORT: expected a whole number, got "http"'],
    ['a test mode that is none', { ...needed, TEST: 'yes' }, 'TEST: expected one of true, 1, challenge'],
    ['an unknown exposure', { ...needed, EXPOSE_REPORT: 'some' }, 'EXPOSE_REPORT: expected one of full'],
    [
      'a file that is not there',
      { ...needed, CLIENT_SECRET: '', CLIENT_SECRET_FILE: '/nowhere' },
      'CLIENT_SECRET_FILE',
    ],
  ])('%s stops it with one line', (_what, environment, line) => {
    expect(() => readProcessSettings(environment)).toThrow(line)
  })
})

describe('the process', () => {
  let service: TestService
  let proxy: ProxyProcess
  const lines: string[] = []
  beforeAll(async () => {
    service = await startTestService()
    const environment = { ...needed, CREDIT_SERVICE_URL: service.url, PORT: '0', REFERENCE_HEADER: 'X-Order' }
    proxy = await startProxyProcess(readProcessSettings(environment), (line) => lines.push(line))
  })
  afterAll(async () => {
    await proxy.stop()
    await service.stop()
  })

  test('a check goes through, with the address and the reference the reverse proxy wrote', async () => {
    const browser = createTestBrowser((request) => fetch(request), { origin: proxy.url })
    const headers = { 'X-Forwarded-For': '198.51.100.7', 'X-Order': 'order-9' }
    await browser.get('/credit-reports/current', headers)
    const response = await browser.generate({}, headers)
    expect(response.status).toBe(200)
    const asked = service.seen.findLast(({ path }) => path.endsWith('/credit-reports'))
    expect(JSON.parse(asked?.body ?? '')).toMatchObject({
      ipAddress: '198.51.100.7',
      externalReference: 'order-9',
    })
    expect(lines.map((line) => JSON.parse(line).type)).toContain('answered')
  })

  test('a request that is only half sent ends in seconds', async () => {
    const settings = readProcessSettings({ ...needed, CREDIT_SERVICE_URL: service.url, PORT: '0' })
    const quick = await startProxyProcess(settings, () => {}, { headersMs: 20, requestMs: 20, checkMs: 10 })
    const { port } = new URL(quick.url)
    const start = 'POST /credit-reports HTTP/1.1\r\nHost: localhost\r\n'
    const halves = [start, `${start}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`]
    await Promise.all(
      halves.map(async (half) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(half))
        socket.resume()
        await once(socket, 'close')
      }),
    )
    await quick.stop()
  })

  test('it says that it is well, and knows nothing outside its mount', async () => {
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${proxy.url}/elsewhere`)).status).toBe(404)
  })
})

describe('addresses by postcode', () => {
  const recipes = 'docs/examples/addresses'

  test('a recipe of the docs is loaded by its path', async () => {
    const findAddresses = await loadFindAddresses({ FIND_ADDRESSES: `${recipes}/os-places.mjs` })
    expect(findAddresses).toBeTypeOf('function')
    expect(await loadFindAddresses({})).toBeNull()
  })

  test.each([
    ['is not there', `${recipes}/nothing.mjs`, /^FIND_ADDRESSES: expected a module that can be loaded/],
    ['exports something else', 'docs/examples/worker.mjs', /^FIND_ADDRESSES: .* exports findAddresses/],
  ])('a module that %s stops the start', async (_what, path, message) => {
    await expect(loadFindAddresses({ FIND_ADDRESSES: path })).rejects.toThrow(message)
  })
})

describe('the program itself', () => {
  let folder: string
  let service: TestService
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'proxy-'))
    service = await startTestService()
  })
  afterEach(async () => {
    rmSync(folder, { recursive: true })
    await service.stop()
  })

  type Line = { type: string; url?: string; fix?: string }

  /** The first lines it logs, and what `use` makes of them while it runs. */
  async function withProgram(clientSecret: string, lineCount: number, use: (lines: Line[]) => Promise<void>) {
    writeFileSync(
      join(folder, 'find.mjs'),
      'export const findAddresses = (postcode) => [{ buildingNumber: "7", townOrCity: "Leeds", postcode }]\n',
    )
    const settings = {
      ...{ CREDIT_SERVICE_URL: service.url, TENANT_ID: 'demo-lender', CLIENT_ID: 'demo-lender' },
      ...{ CLIENT_SECRET: clientSecret, PORT: '0', TRUSTED_HOPS: '0', FIND_ADDRESSES: join(folder, 'find.mjs') },
    }
    const file = join(folder, 'proxy.env')
    const assignments = Object.entries(settings).map((entry) => entry.join('='))
    writeFileSync(file, assignments.join('\n'))
    const child = spawn(process.execPath, ['dist/lender/proxy-main.js', file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // The test runner sets TEST for itself.
      env: { ...process.env, TEST: '' },
    })
    const lines: Line[] = []
    try {
      for await (const line of createInterface(child.stdout)) {
        lines.push(JSON.parse(line))
        if (lines.length === lineCount) break
      }
      await use(lines)
    } finally {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }

  test('takes its settings from one file and finds addresses', async () => {
    await withProgram('demo-secret', 1, async ([listening]) => {
      const mount = `${listening?.url}/credit-reports`
      const { headers } = await fetch(`${mount}/current`)
      const cookie = headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
      const found = await fetch(`${mount}/addresses?postcode=LS1%204AP`, { headers: { Cookie: cookie } })
      expect(await found.json()).toMatchObject({ data: { addresses: [{ buildingNumber: '7', postcode: 'LS1 4AP' }] } })
    })
  })

  test('logs what the doctor finds wrong', async () => {
    await withProgram('wrong', 2, async (lines) => {
      expect(lines.map(({ type }) => type)).toEqual(['listening', 'doctor'])
      expect(lines[1]?.fix).toContain('check `credentials`')
      const current = await fetch(`${lines[0]?.url}/credit-reports/current`)
      expect([current.status, await current.json()]).toMatchObject([503, { code: 'misconfigured' }])
    })
  })
})
