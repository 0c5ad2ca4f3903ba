import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { startTestService, type TestService } from '../testing/proxy-service.ts'
import { type ProcessEnvironment, type ProxyProcess, readProcessSettings, startProxyProcess } from './process.ts'

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
    ['an exposure nobody knows', { ...needed, EXPOSE_REPORT: 'some' }, 'EXPOSE_REPORT: expected one of full'],
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
    expect(JSON.parse(service.seen.at(-1)?.body ?? '')).toMatchObject({
      ipAddress: '198.51.100.7',
      externalReference: 'order-9',
    })
    expect(lines.map((line) => JSON.parse(line).type)).toContain('answered')
  })

  test('it says that it is well, and knows nothing outside its mount', async () => {
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${proxy.url}/elsewhere`)).status).toBe(404)
  })
})
