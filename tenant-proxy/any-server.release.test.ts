// docs/lender/any-server.md: the webhook receivers in PHP, Python, Java and C#, run as printed and sent the same
// events; and the functions of docs/lender/decide-any-language.md. Debian packages: php-cli python3
// default-jdk-headless mono-mcs
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleReport, sampleRequest } from '../contract/samples.ts'
import { createWebhookSecret, signWebhook } from '../kit/webhook-signature.ts'
import { administer, startBuiltService } from '../prove/cuts/built-service.ts'
import { createTestBrowser } from '../testing/proxy-browser.ts'
import { startTestService, type TestService } from '../testing/proxy-service.ts'
import { freePort } from '../testing/throwaway-postgres.ts'
import { type ProxyProcess, readProcessSettings, startProxyProcess } from './process.ts'

const FOLDER = resolve('docs/examples/any-server')
const MONO_PACKAGES = 'mono-mcs libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil'
const LANGUAGES = {
  php: { package: 'php-cli', start: (port: number) => ['-S', `127.0.0.1:${port}`, join(FOLDER, 'webhook.php')] },
  python3: { package: 'python3', start: () => [join(FOLDER, 'webhook.py')] },
  java: { package: 'default-jdk-headless', start: () => [join(FOLDER, 'Receiver.java')] },
  mono: { package: MONO_PACKAGES, start: () => [compileForMono()] },
}
type Language = keyof typeof LANGUAGES

const built = mkdtempSync(join(tmpdir(), 'receiver-mono-'))
afterAll(() => rmSync(built, { recursive: true }))

function compileForMono(): string {
  const program = join(built, 'Receiver.exe')
  const options = ['-r:System.Net.Http,System.Runtime.Serialization', `-out:${program}`]
  if (!existsSync(program)) execFileSync('mcs', [...options, join(FOLDER, 'Receiver.cs')])
  return program
}

const languages = Object.keys(LANGUAGES) as Language[]

/** Polls of 50 ms that a process or a delivery may take: far more than any needs. */
const POLLS_MAX = 2_400
const STARTS_MS = 120_000

beforeAll(() => {
  const missing = languages.filter((name) => spawnSync(name, ['--version']).status !== 0)
  const packages = missing.map((name) => LANGUAGES[name].package)
  if (missing.length > 0) throw new Error(`install what is missing: apt-get install ${packages.join(' ')}`)
}, STARTS_MS)

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    if (await isTrue()) return
    await sleep(50)
  }
  throw new Error('waited too long')
}

async function startReceiver(language: Language, environment: { [name: string]: string }, port?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  const chosen = port ?? (await freePort())
  const env = { ...process.env, PORT: String(chosen), TENANT_ID: 'acme', CLIENT_ID: 'acme', CLIENT_SECRET: 'secret' }
  const child: ChildProcess = spawn(language, LANGUAGES[language].start(chosen), {
    env: { ...env, REPORTS: folder, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let printed = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  const url = `http://127.0.0.1:${chosen}/credit-report-webhook`
  const isThere = () =>
    fetch(url).then(
      () => true,
      () => child.exitCode !== null,
    )
  await until(isThere)
  return {
    url,
    folder,
    printed: () => printed,
    exitCode: () => child.exitCode,
    stored: (name: string) => existsSync(join(folder, name)),
    read: (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8')),
    async stop() {
      child.kill('SIGKILL')
      await exited
      rmSync(folder, { recursive: true })
    },
  }
}
type Receiver = Awaited<ReturnType<typeof startReceiver>>

const FAULTS = ['is down', 'refuses the client', 'has no complete report', 'breaks off'] as const
type Mood = 'is well' | (typeof FAULTS)[number]

/** The service as its callers see it, well or not. */
async function startService() {
  const state = { mood: 'is well' as Mood, reads: 0 }
  const server = createServer((request, response) => {
    if (state.mood === 'is down') return request.socket.destroy()
    const creditReportId = /^\/acme\/v1\/credit-reports\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    const isToken = request.method === 'POST' && request.url === '/v1/oauth/token'
    const isRead = creditReportId !== undefined && request.headers.authorization === 'Bearer token'
    if (isRead) state.reads += 1
    const isKnown = (isToken && state.mood !== 'refuses the client') || isRead
    response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' })
    const status = state.mood === 'has no complete report' ? 'authentication-required' : 'complete'
    const answer = { data: { status, creditReportId, creditReport: { person: { firstName: 'Zoë "Z" \\ 🦊' } } } }
    if (isRead && state.mood === 'breaks off') return response.end('{"data":{"status":"complete"')
    return response.end(JSON.stringify(isToken ? { access_token: 'token', expires_in: 900 } : answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

type Sent = { headers: { [name: string]: string }; body: string }
const secret = createWebhookSecret()
const now = () => Math.floor(Date.now() / 1000)

/** An event about the report `id`, which is also the event's id. */
function sign(id: string, { body = completed(id), by = secret, at = now() } = {}): Sent {
  return { headers: signWebhook([by], { id, timestampSeconds: at, body: Buffer.from(body) }), body }
}

function completed(creditReportId: unknown): string {
  const data = { tenantId: 'acme', creditReportId, status: 'complete', externalReference: 'Zoë 1', test: false }
  return JSON.stringify({ type: 'credit-report.completed', timestamp: '2026-11-15T09:31:12.000Z', data })
}

function signWithEmptyKey(id: string): Sent {
  const { headers, body } = sign(id)
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`
  const signature = createHmac('sha256', '').update(signed).digest('base64')
  return { headers: { ...headers, 'webhook-signature': `v1,${signature}` }, body }
}

const without = (name: string, { headers, body }: Sent): Sent => ({ headers: omit(headers, name), body })
const omit = (headers: Sent['headers'], name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name))

async function post({ url }: Receiver, { headers, body }: Sent): Promise<number> {
  const all = { 'Content-Type': 'application/json', ...headers }
  return (await fetch(url, { method: 'POST', headers: all, body })).status
}

/** None of these is an event of the service, so none may bring a report. */
const REFUSED: [name: string, make: (id: string) => Sent][] = [
  ['signed with another secret', (id) => sign(id, { by: createWebhookSecret() })],
  ['signed with an empty key', signWithEmptyKey],
  ['changed after it was signed', (id) => ({ ...sign('other'), body: completed(id) })],
  ['under another id', (id) => ({ ...sign(id), headers: { ...sign(id).headers, 'webhook-id': 'other' } })],
  ['that is late', (id) => sign(id, { at: now() - 600 })],
  ['from the future', (id) => sign(id, { at: now() + 600 })],
  ['of broken JSON', (id) => sign(id, { body: completed(id).slice(0, -1) })],
  ['that is not an object', (id) => sign(id, { body: '[1, -2.5e3, null, true, {"a": "\\u00e9"}]' })],
  ['without a report', (id) => sign(id, { body: completed(undefined) })],
  ['about a report that is a path', (id) => sign(id, { body: completed(`../${id}`) })],
  ['without any header', (id) => ({ ...sign(id), headers: {} })],
  ['without an id', (id) => without('webhook-id', sign(id))],
  ['without a time', (id) => without('webhook-timestamp', sign(id))],
  ['without a signature', (id) => without('webhook-signature', sign(id))],
  ['with an odd signature', (id) => ({ ...sign(id), headers: { ...sign(id).headers, 'webhook-signature': 'v1,é  ' } })],
  ['without a body', (id) => ({ ...sign(id), body: '' })],
  ['that is too large', (id) => sign(id, { body: completed(id).padEnd(100_001) })],
]

describe.each(languages)('%s', { timeout: STARTS_MS }, (language) => {
  let service: Awaited<ReturnType<typeof startService>>
  let receiver: Receiver
  beforeAll(async () => {
    service = await startService()
    // Two while one is replaced, and the space that a secret store adds.
    const WEBHOOK_SECRETS = `${createWebhookSecret()}  ${secret} `
    receiver = await startReceiver(language, { CREDIT_SERVICE_URL: service.url, WEBHOOK_SECRETS })
  }, STARTS_MS)
  afterAll(async () => {
    await receiver.stop()
    await service.stop()
  })

  test('a genuine event brings the report; repeated, it brings nothing more', async () => {
    const event = sign('genuine')
    const readsBefore = service.state.reads
    expect(await post(receiver, event)).toBe(204)
    expect(receiver.read('genuine.json')).toMatchObject({
      data: { status: 'complete', creditReportId: 'genuine', creditReport: { person: { firstName: 'Zoë "Z" \\ 🦊' } } },
    })
    expect(await post(receiver, event)).toBe(204)
    expect(service.state.reads - readsBefore).toBe(1)
  })

  test.each(REFUSED)('an event %s is refused', async (name, make) => {
    const id = name.replace(/\W+/g, '-')
    const readsBefore = service.state.reads
    expect(await post(receiver, make(id))).toBe(400)
    expect([receiver.stored(`${id}.json`), service.state.reads - readsBefore]).toEqual([false, 0])
  })

  test.each(FAULTS)('while the service %s the answer is 503; the event sent again brings the report', async (mood) => {
    const id = mood.replace(/\W+/g, '-')
    service.state.mood = mood
    expect(await post(receiver, sign(id))).toBe(503)
    expect(receiver.stored(`${id}.json`)).toBe(false)
    service.state.mood = 'is well'
    expect(await post(receiver, sign(id))).toBe(204)
    expect(receiver.stored(`${id}.json`)).toBe(true)
  })

  test.each([
    ['wallet.low', { tenantId: 'acme', balanceCredits: 10, thresholdCredits: 50 }],
    ['endpoint.test', { tenantId: 'acme', endpointId: 'we-0a1b2c3d4e5f' }],
    ['a.later-version', { tenantId: 'acme' }],
  ])('%s, which brings no report, is taken', async (type, data) => {
    const body = JSON.stringify({ type, timestamp: '2026-11-15T09:31:12.000Z', data })
    expect(await post(receiver, sign('low', { body }))).toBe(204)
  })

  test.each([
    ['an empty secret', { WEBHOOK_SECRETS: '' }, 'WEBHOOK_SECRETS'],
    ['only spaces', { WEBHOOK_SECRETS: '  ' }, 'WEBHOOK_SECRETS'],
    ['a prefix without a key', { WEBHOOK_SECRETS: `${secret} whsec_ ` }, 'WEBHOOK_SECRETS'],
    ['a secret of another kind', { WEBHOOK_SECRETS: 'A'.repeat(44) }, 'WEBHOOK_SECRETS'],
    ['no folder for reports', { WEBHOOK_SECRETS: secret, REPORTS: '' }, 'REPORTS'],
  ])('with %s it does not start, or takes nothing', async (_what, settings, named) => {
    const badly = await startReceiver(language, { CREDIT_SERVICE_URL: service.url, ...settings })
    try {
      // PHP has no start of its own: the script runs with each request.
      if (language === 'php') {
        expect(await post(badly, signWithEmptyKey('forged'))).toBe(500)
        expect(await post(badly, sign('genuine'))).toBe(500)
      } else expect(badly.exitCode()).toBe(1)
      await until(() => badly.printed().includes(named))
      expect(badly.stored('forged.json')).toBe(false)
    } finally {
      await badly.stop()
    }
  })
})

test(
  'what the service itself sends brings the same report to each',
  async () => {
    const service = await startBuiltService()
    const receivers: Receiver[] = []
    try {
      for (const language of languages) {
        const port = await freePort()
        const url = `http://127.0.0.1:${port}/credit-report-webhook`
        const WEBHOOK_SECRETS = /whsec_\S+/.exec(administer(service, 'webhook', 'add', 'demo-lender', url))?.[0] ?? ''
        const credentials = { TENANT_ID: 'demo-lender', CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret' }
        const settings = { CREDIT_SERVICE_URL: service.url, WEBHOOK_SECRETS, ...credentials }
        receivers.push(await startReceiver(language, settings, port))
      }
      const creditReportId = await completeReport(service.url)
      const file = `${creditReportId}.json`
      await until(() => receivers.every((receiver) => receiver.stored(file)))
      for (const receiver of receivers)
        expect(receiver.read(file)).toMatchObject({ data: { status: 'complete', creditReportId, test: true } })
    } finally {
      await Promise.all(receivers.map((receiver) => receiver.stop()))
      await service.stop()
    }
  },
  STARTS_MS,
)

async function completeReport(serviceUrl: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'demo-lender', client_secret: 'demo-secret' }
  const token = await fetch(`${serviceUrl}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token: accessToken } = await token.json()
  const response = await fetch(`${serviceUrl}/demo-lender/v1/credit-reports`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...sampleRequest, challengeOptions: { status: 'allow' } }),
  })
  const { data } = await response.json()
  return data.creditReportId
}

describe('decide in any language', () => {
  const page = readFileSync('docs/lender/decide-any-language.md', 'utf8')
  const blockOf = (language: string) => new RegExp(`\`\`\`${language}\\n([^]*?)\n\`\`\``).exec(page)?.[1] ?? ''
  const { lastName, dateOfBirth } = sampleReport.person
  const CALL = { cookie: 'COOKIE', host: 'BROWSER_HOST', lastName: 'LAST_NAME' }

  /** Each prints the status, or fails. */
  const programs: { [language in Language]: () => [file: string, text: string] } = {
    php: () => [
      'decide.php',
      `<?php ${blockOf('php')}
       $_SERVER['HTTP_COOKIE'] = getenv('${CALL.cookie}');
       $_SERVER['HTTP_HOST'] = getenv('${CALL.host}');
       echo decideCheck('order-1', getenv('${CALL.lastName}'), '${dateOfBirth}')['status'];`,
    ],
    python3: () => [
      'decide.py',
      `${blockOf('python')}
call = [os.environ[name] for name in ('${CALL.cookie}', '${CALL.host}')]
print(decide_check(*call, 'order-1', os.environ['${CALL.lastName}'], '${dateOfBirth}')['status'], end='')`,
    ],
    java: () => [
      'Decide.java',
      `import java.net.URI;
       import java.net.http.*;
       import java.time.Duration;
       public class Decide {
         ${blockOf('java')}
         public static void main(String[] args) throws Exception {
           System.out.print(decideCheck(System.getenv("${CALL.cookie}"), System.getenv("${CALL.host}"), "order-1",
             System.getenv("${CALL.lastName}"), "${dateOfBirth}"));
         }
       }`,
    ],
    mono: () => [
      'Decide.cs',
      `using System; using System.Linq; using System.Net.Http; using System.Net.Http.Headers; using System.Text;
       using System.Threading.Tasks;
       public static class Decide {
         ${blockOf('csharp')}
         public static void Main() {
           Func<string, string> setting = Environment.GetEnvironmentVariable;
           Console.Write(DecideCheck(setting("${CALL.cookie}"), setting("${CALL.host}"), "order-1",
             setting("${CALL.lastName}"), "${dateOfBirth}").Result);
         }
       }`,
    ],
  }

  const folder = mkdtempSync(join(tmpdir(), 'decide-'))
  let service: TestService
  let proxy: ProxyProcess
  let cookie: string
  const SECRET = 'a secret that both servers know, and no one else'
  beforeAll(async () => {
    service = await startTestService()
    service.branch = 'allow'
    const settings = readProcessSettings({
      ...{ CREDIT_SERVICE_URL: service.url, TENANT_ID: 'demo-lender', CLIENT_ID: 'demo-lender' },
      ...{ CLIENT_SECRET: 'demo-secret', PORT: '0', REFERENCE_HEADER: 'X-Order', DECIDE_SECRET: SECRET },
    })
    proxy = await startProxyProcess(settings, () => {})
    const browser = createTestBrowser((request) => fetch(request), { origin: proxy.url })
    await browser.get('/credit-reports/current')
    await browser.generate({}, { 'X-Order': 'order-1' })
    cookie = [...browser.cookies].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await proxy.stop()
    await service.stop()
  })

  function run(language: Language, environment: { [name: string]: string }) {
    const [name, text] = programs[language]()
    const file = join(folder, name)
    writeFileSync(file, text)
    const program = language === 'mono' ? file.replace(/cs$/, 'exe') : file
    if (language === 'mono') execFileSync('mcs', ['-r:System.Net.Http', `-out:${program}`, file])
    const host = new URL(proxy.url).host
    const env = { ...process.env, PROXY_URL: proxy.url, DECIDE_SECRET: SECRET, COOKIE: cookie, BROWSER_HOST: host }
    return new Promise<{ code: number | null; printed: string }>((done) => {
      const child = spawn(language, [program], { env: { ...env, LAST_NAME: lastName, ...environment } })
      let printed = ''
      child.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
      })
      child.once('close', (code) => done({ code, printed }))
    })
  }

  test.each(languages)(
    '%s, as printed: complete, another person, another secret',
    async (language) => {
      expect(await run(language, {})).toEqual({ code: 0, printed: 'complete' })
      expect(await run(language, { LAST_NAME: 'O"Hara \\ Zoë' })).toEqual({ code: 0, printed: 'mismatch' })
      expect(await run(language, { COOKIE: '' })).toEqual({ code: 0, printed: 'none' })
      const refused = await run(language, { DECIDE_SECRET: 'wrong' })
      expect(refused.code).not.toBe(0)
      expect(refused.printed).not.toContain('complete')
    },
    STARTS_MS,
  )
})
