// Compares a service that has been busy for a month with one that began today: the same requests to two services,
// one with a thousand stored live reports and one with a million, taking turns. Risk and bureaus are asked over HTTP.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillReports } from '../testing/fill-reports.ts'
import { startGatewayChild } from '../testing/gateway-child.ts'
import { SAM } from '../testing/portal-service.ts'
import { createTestBrowser, type TestBrowser } from '../testing/service-browser.ts'
import { compare, median } from './measure.ts'
import type { Row } from './row.ts'
import {
  BUILT_SERVICE,
  generateBody,
  liveBody,
  type Opened,
  openChallenges,
  REPORTS,
  type ServiceProcess,
  startProcess,
  submitTo,
} from './service-process.ts'
import { GROWTH } from './targets.ts'

const FEW = 1_000
const MANY = 1_000_000

const SECRET = 'a secret shared with the gateway'
const LISTED = 20
const ROUNDS = 400
const WARM_UP_ROUNDS = 200

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'))
  const running: ServiceProcess[] = []
  const gateway = await startGatewayChild({ secret: SECRET, bureaus: [], slowMs: 0 })
  const http = {
    RISK_URL: gateway.url,
    RISK_TOKEN: SECRET,
    BUREAU_URL: gateway.url,
    BUREAU_TOKEN: SECRET,
    // One person asks all the time.
    SEARCHES_PER_PERSON_PER_DAY: '1000000',
  }
  try {
    for (const count of [FEW, MANY]) {
      const dataDir = join(folder, String(count))
      // Once, so that its tables and tenants are there.
      await (await startProcess({ script: BUILT_SERVICE, dataDir })).stop()
      await fillReports({ database: join(dataDir, 'service.db'), reports: count })
      running.push(await startProcess({ script: BUILT_SERVICE, dataDir, environment: http }))
    }
    const [few, many] = running
    return few && many ? await measure(few, many) : []
  } finally {
    for (const service of running) await service.stop()
    await gateway.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The timed requests, each run once its needs are met. */
const ASKS: { [name: string]: (service: ServiceProcess) => Promise<() => Promise<unknown>> } = {
  'test generate': async (service) => () => service.post(REPORTS, generateBody('allow')),
  'test generate with a key': async (service) => {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    return () => service.post(REPORTS, generateBody('allow'), key)
  },
  'test submit of a code': async (service) => {
    const [opened] = await openChallenges(service, 1)
    if (!opened) throw new Error('no challenge was opened')
    return () => submitTo(service, opened)
  },
  'live generate with a key': async (service) => {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    return () => service.post(REPORTS, liveBody('Allow'), key)
  },
  'live submit of a code': async (service) => {
    const opened: Opened = JSON.parse(await service.post(REPORTS, liveBody('Challenge'))).data
    const code = await codeOf(service, opened.creditReportId)
    return () => submitTo(service, opened, code)
  },
  'list of reports': async (service) => () => service.get(`${REPORTS}?limit=${LISTED}`),
  'list by reference': async (service) => () =>
    service.get(`${REPORTS}?externalReference=order-${FEW / 2}&limit=${LISTED}`),
  "the console's first page": async (service) => {
    const console = consoles.get(service) ?? (await signInTo(service))
    consoles.set(service, console)
    return async () => {
      const { response, url } = await console.visit('/console')
      if (response.status !== 200 || !url.pathname.startsWith('/console')) throw new Error(`no console but ${url}`)
    }
  },
}

const consoles = new Map<ServiceProcess, TestBrowser>()

async function signInTo(service: ServiceProcess): Promise<TestBrowser> {
  const console = createTestBrowser((request) => fetch(request, { redirect: 'manual' }), service.url)
  await console.signIn(...SAM, '/console')
  return console
}

/** From the simulated phone, where the newest text comes first. */
async function codeOf(service: ServiceProcess, creditReportId: string): Promise<string> {
  const texts: { creditReportId: string; body: string }[] = JSON.parse(await service.get('/demo/sms'))
  return /^\d{6}/.exec(texts.find((text) => text.creditReportId === creditReportId)?.body ?? '')?.[0] ?? ''
}

async function measure(few: ServiceProcess, many: ServiceProcess): Promise<Row[]> {
  const times = new Map(Object.keys(ASKS).map((name) => [name, { few: [] as number[], many: [] as number[] }]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [name, prepare] of Object.entries(ASKS)) {
      const [askFew, askMany] = [await prepare(few), await prepare(many)]
      // One right after the other, so that other work on the machine slows both; who goes first changes.
      const firstMs = await timed(round % 2 === 0 ? askFew : askMany)
      const secondMs = await timed(round % 2 === 0 ? askMany : askFew)
      if (round < 0) continue
      times.get(name)?.few.push(round % 2 === 0 ? firstMs : secondMs)
      times.get(name)?.many.push(round % 2 === 0 ? secondMs : firstMs)
    }
  }
  return [...times].map(([name, took]) =>
    compare(`${name} among ${MANY.toLocaleString('en-GB')}, p50`, {
      value: median(took.many),
      unit: 'ms',
      against: `among ${FEW.toLocaleString('en-GB')} reports`,
      floor: median(took.few),
      target: GROWTH.ofFew,
    }),
  )
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}
