// The tenant proxy as a process of its own, for lenders whose server is not Node: behind a reverse proxy, at the
// lender's own path.
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Branch } from '../contract/generate.ts'
import { toNodeHandler } from './adapters.ts'
import { answerDecide, DECIDE_PATH } from './decide-route.ts'
import type { ProxyEvent } from './events.ts'
import type { FindAddresses, TenantProxyOptions } from './options.ts'
import { createTenantProxy } from './tenant-proxy.ts'

export type ProcessEnvironment = { readonly [name: string]: string | undefined }

/** A setting is missing or wrong; the message says which and what was expected. */
export class ProcessSettingError extends Error {}

const PORT_DEFAULT = 4300
const EXPOSURES = new Map((['full', 'matched', 'summary', 'none'] as const).map((name) => [name, name]))
/** As the option `test`. Any other word is refused: on a live mount every check is charged. */
const TESTS = new Map<string, boolean | Branch>([
  ['true', true],
  ['1', true],
  ...Branch.options.map((branch) => [branch, branch] as const),
  ['false', false],
  ['0', false],
])

/** `decideSecret` opens `POST /decide`; null: it is not there. */
type ProcessSettings = { host: string; port: number; decideSecret: string | null; options: TenantProxyOptions }

const DECIDE_SECRET_LENGTH_MIN = 32

/** Every setting of the process, from its environment. What is not set is as `createTenantProxy` has it. */
export function readProcessSettings(environment: ProcessEnvironment): ProcessSettings {
  const setting = (name: string) => environment[name]?.trim() || undefined
  const list = (name: string) =>
    setting(name)
      ?.split(',')
      .map((entry) => entry.trim())
  const needed = (name: string, value = setting(name)) => {
    if (value === undefined) throw new ProcessSettingError(`${name}: expected a value, got nothing`)
    return value
  }
  const whole = (name: string, fallback: number) => {
    const value = Number(setting(name) ?? fallback)
    if (Number.isInteger(value) && value >= 0 && value <= 65_535) return value
    throw new ProcessSettingError(`${name}: expected a whole number, got "${setting(name)}"`)
  }
  const oneOf = <Value>(name: string, values: ReadonlyMap<string, Value>) => {
    const given = setting(name)
    const value = given === undefined ? undefined : values.get(given)
    if (given === undefined || value !== undefined) return value
    throw new ProcessSettingError(`${name}: expected one of ${[...values.keys()].join(', ')}, got "${given}"`)
  }
  const referenceHeader = setting('REFERENCE_HEADER')
  const optional = {
    path: setting('MOUNT_PATH'),
    publicPath: setting('PUBLIC_PATH'),
    publicServiceUrl: setting('PUBLIC_SERVICE_URL'),
    bureaus: list('BUREAUS'),
    origins: list('ORIGINS'),
    cookieSecret: list('COOKIE_SECRET'),
    previousFiles: setting('PREVIOUS_FILES'),
    webhookSecrets: setting('WEBHOOK_SECRETS')?.split(/[\s,]+/),
    exposeReport: oneOf('EXPOSE_REPORT', EXPOSURES),
    test: oneOf('TEST', TESTS),
    // Only what the reverse proxy writes there counts: it must overwrite what a browser sent under this name.
    externalReference:
      referenceHeader === undefined
        ? undefined
        : (request: Request) => request.headers.get(referenceHeader) ?? undefined,
  }
  const decideSecret = setting('DECIDE_SECRET') ?? null
  if (decideSecret !== null && decideSecret.length < DECIDE_SECRET_LENGTH_MIN) {
    throw new ProcessSettingError(
      `DECIDE_SECRET: expected at least ${DECIDE_SECRET_LENGTH_MIN} characters, got ${decideSecret.length}`,
    )
  }
  if (decideSecret !== null && (optional.path === DECIDE_PATH || optional.path?.startsWith(`${DECIDE_PATH}/`))) {
    throw new ProcessSettingError(
      `MOUNT_PATH: expected another path than ${DECIDE_PATH}, which is not public, got "${optional.path}"`,
    )
  }
  return {
    host: setting('HOST') ?? '127.0.0.1',
    port: whole('PORT', PORT_DEFAULT),
    decideSecret,
    options: {
      service: needed('CREDIT_SERVICE_URL'),
      tenantId: needed('TENANT_ID'),
      credentials: {
        clientId: needed('CLIENT_ID'),
        clientSecret: needed(
          'CLIENT_SECRET',
          setting('CLIENT_SECRET') ?? readSecretFile(setting('CLIENT_SECRET_FILE')),
        ),
      },
      // There is always a reverse proxy in front; without one, set it to 0.
      trustedHops: whole('TRUSTED_HOPS', 1),
      ...onlySet(optional),
    },
  }
}

type OnlySet<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined | ''> }

function onlySet<Given extends object>(given: Given): OnlySet<Given> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as OnlySet<Given>
}

function readSecretFile(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch {
    throw new ProcessSettingError(`CLIENT_SECRET_FILE: expected a file that can be read, got "${path}"`)
  }
}

/** The lender's own module behind `findAddresses`; null without one. */
export async function loadFindAddresses({ FIND_ADDRESSES: path }: ProcessEnvironment): Promise<FindAddresses | null> {
  if (!path?.trim()) return null
  const loaded = await import(pathToFileURL(resolve(path.trim())).href).catch((error) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ProcessSettingError(`FIND_ADDRESSES: expected a module that can be loaded, got "${path}" (${reason})`)
  })
  if (typeof loaded.findAddresses === 'function') return loaded.findAddresses
  throw new ProcessSettingError(`FIND_ADDRESSES: expected a module that exports findAddresses, got "${path}"`)
}

const TIMING = {
  /** Until the headers of a request must be there, and until its body must. */
  headersMs: 5_000,
  requestMs: 10_000,
  /** The interval at which both are checked: Node's own half minute would leave slow senders thirty seconds more. */
  checkMs: 1_000,
}

export type ProxyProcess = { url: string; stop(): Promise<void> }

/**
 * Listens; `GET /healthz` answers 200 while it does, and `POST /decide` where there is a secret for it. Events become
 * one JSON object a line, and so does what the doctor finds wrong at the start.
 */
export async function startProxyProcess(
  { host, port, decideSecret, options }: ProcessSettings,
  write: (line: string) => void,
  timing: Partial<typeof TIMING> = {},
): Promise<ProxyProcess> {
  const log = (entry: object) => write(JSON.stringify({ time: new Date().toISOString(), ...entry }))
  const onEvent = (event: ProxyEvent) => log(describe(event))
  const proxy = createTenantProxy({ onEvent, doctor: false, ...options })
  const handle = toNodeHandler(proxy)
  const { headersMs, requestMs, checkMs } = { ...TIMING, ...timing }
  const limits = { headersTimeout: headersMs, requestTimeout: requestMs, connectionsCheckingInterval: checkMs }
  const server: Server = createServer(limits, (request, response) => {
    if (request.url === '/healthz') return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok\n')
    if (decideSecret !== null && request.url === DECIDE_PATH) {
      return void answerDecide(proxy, decideSecret, request, response).catch(() => response.destroy())
    }
    handle(request, response, () => void response.writeHead(404).end())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const diagnosed = proxy.doctor().then((found) => {
    for (const { ok, ...finding } of found) if (!ok) log({ type: 'doctor', ...finding })
  })
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    async stop() {
      await new Promise((resolve) => server.close(resolve))
      await Promise.all([proxy.drain(), diagnosed])
    },
  }
}

/** Errors by their class and message; nothing of a request is in either. */
function describe(event: ProxyEvent): object {
  const entries = Object.entries(event).map(([name, value]) => [
    name,
    value instanceof Error ? `${value.name}: ${value.message}` : value,
  ])
  return Object.fromEntries(entries)
}
