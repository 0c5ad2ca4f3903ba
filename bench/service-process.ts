// A built service in a process of its own, seen from outside: what it answers, and what it costs its machine.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { Readable } from 'node:stream'
import { serviceNodeFlags } from '../testing/node-flags.ts'

export type ServiceProcess = {
  url: string
  /** Milliseconds from the first instruction of Node to a service that says it is ready. */
  startedInMs: number
  /** Resolves to the answer's text; anything but 200 is an error. */
  post(path: string, body: object, headers?: { [name: string]: string }): Promise<string>
  /** The same. */
  get(path: string): Promise<string>
  /** All threads of the process together, since its start. */
  cpuMs(): Promise<number>
  /** The most memory it ever had, where the system remembers that; else what it has now. */
  memoryMb(): Promise<number>
  stop(): Promise<void>
}

export const BUILT_SERVICE = 'dist/programs/demo-service.js'
export const REPORTS = '/demo-lender/v1/credit-reports'

/** One body for all: a common request, three bureaus, the default scenario. */
export function generateBody(status: 'allow' | 'challenge') {
  return {
    sessionId: 'bench',
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '203.0.113.7',
    searchType: 'pcp',
    title: 'Ms',
    firstName: 'Sam',
    lastName: 'Example',
    dateOfBirth: '1985-03-27',
    addresses: [
      {
        type: 'current',
        ukAddress: {
          buildingNumber: '10',
          thoroughfare: 'Orchard Lane',
          townOrCity: 'Ambleford',
          postcode: 'SW1A 1AA',
        },
      },
    ],
    mobileNumber: '+447700900123',
    email: 'sam@example.com',
    test: true,
    challengeOptions: { status },
  }
}

/** The same as a real request, which costs credits: risk says yes, and the bureaus are asked. */
export function liveBody(lastName: 'Allow' | 'Challenge') {
  const { test: _test, challengeOptions: _options, ...body } = generateBody('allow')
  return { ...body, lastName }
}

export type Opened = { creditReportId: string; challenge: { challengeId: string } }

/** So many challenges in test mode, one after the other. */
export async function openChallenges(service: ServiceProcess, count: number): Promise<Opened[]> {
  const opened: Opened[] = []
  while (opened.length < count) {
    opened.push(JSON.parse(await service.post(REPORTS, generateBody('challenge'))).data)
  }
  return opened
}

/** @default the code that is right in test mode */
export function submitTo(
  service: ServiceProcess,
  { creditReportId, challenge }: Opened,
  code = '123456',
): Promise<string> {
  return service.post(`${REPORTS}/${creditReportId}/otp-challenge`, { ...challenge, code })
}

export type StartOptions = {
  script: string
  dataDir: string
  /** Requests in progress at once. @default 1 */
  sockets?: number
  environment?: { [name: string]: string }
}

/** Starts it with the demo's tenants and signs in as one of them. */
export async function startProcess({
  script,
  dataDir,
  sockets = 1,
  environment = {},
}: StartOptions): Promise<ServiceProcess> {
  const settings = { DEMO: '1', PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '100000000' }
  const beganMs = performance.now()
  const child = spawn(process.execPath, [...serviceNodeFlags(), script], {
    env: { ...process.env, NODE_ENV: 'test', ...settings, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await readPort(child.stdout)
  child.stdout.resume()
  const agent = new Agent({ keepAlive: true, maxSockets: sockets })

  function send(method: string, path: string, body = '', headers = {}): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const asked = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (piece) => {
          text += piece
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  async function metric(name: string): Promise<number> {
    const { text } = await send('GET', '/metrics')
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  await send('GET', '/readyz')
  const startedInMs = performance.now() - beganMs
  const form = 'grant_type=client_credentials&client_id=demo-lender&client_secret=demo-secret'
  const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const token = JSON.parse((await send('POST', '/v1/oauth/token', form, formType)).text).access_token
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }

  return {
    url: `http://localhost:${port}`,
    startedInMs,
    async post(path, body, more = {}) {
      const text = JSON.stringify(body)
      const answer = await send('POST', path, text, { ...headers, 'Content-Length': Buffer.byteLength(text), ...more })
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
      return answer.text
    },
    async get(path) {
      const answer = await send('GET', path, undefined, headers)
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`)
      return answer.text
    },
    cpuMs: async () => (await metric('crs_process_cpu_seconds_total')) * 1000,
    async memoryMb() {
      const status = `/proc/${child.pid}/status`
      const peakKib = existsSync(status) ? /^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] : undefined
      return peakKib ? Number(peakKib) / 1024 : (await metric('crs_process_resident_memory_bytes')) / 2 ** 20
    },
    async stop() {
      agent.destroy()
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function readPort(output: Readable): Promise<number> {
  let said = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    said += chunk
    const port = /"url":"http:\/\/localhost:(\d+)"/.exec(said)?.[1]
    if (port) return Number(port)
  }
  throw new Error(`the service did not start: ${said}`)
}
