// The public side of devices: the script, and where it reports to. Any page may use both; neither needs a token or sets
// a cookie.
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import { createBuckets } from '../../kit/limits.ts'
import { householdOf, networkOf } from '../../kit/network.ts'
import { ApiError, RateLimited } from '../http/api-error.ts'
import { clientAddress } from '../http/client-address.ts'
import type { ServiceEnv } from '../http/context.ts'
import { sendPrepared } from '../http/prepared-text.ts'
import { readBody } from '../http/read-body.ts'
import { serve } from '../http/serve.ts'
import type { Database } from '../store/database.ts'
import { deviceRows } from './operations.ts'
import { createScriptArchive, SCRIPT_PATH, type Script } from './script.ts'
import type { DeviceSessions } from './sessions.ts'

const { operations } = deviceRows

/** The script sends less than a kilobyte. */
const SIGNALS_BYTES_MAX = 16_384
const PREFLIGHT_SECONDS = '86400'

type DeviceRouteOptions = {
  database: Database
  sessions: DeviceSessions
  script: Script
  clock: Clock
  /** The number of proxies in front of the service that add to `X-Forwarded-For`. */
  trustedHops: number
  /** @default 600 sessions a minute for each network */
  mintLimit?: MintLimit
}

export function deviceRoutes(options: DeviceRouteOptions): Hono<ServiceEnv> {
  const { database, sessions, script, clock, trustedHops, mintLimit = createMintLimit(clock) } = options
  const archive = createScriptArchive({ database, clock, current: script })
  const routes = new Hono<ServiceEnv>()

  serve(routes, operations.getFingerprintScript, async (context) => {
    // A page whose policy forbids the POST can still add a script tag. Such a session has no signals.
    if (context.req.query('m') === '1') {
      const sessionId = await open(context, null)
      return context.body(`document.__deviceFingerprint("${sessionId}")`, 200, {
        ...SCRIPT_HEADERS,
        'Cache-Control': 'no-store',
      })
    }
    // Not waited for: serving the script must not depend on the database.
    archive.keep().catch(() => {})
    return sendScript(context, script, 'public, max-age=3600, stale-while-revalidate=86400')
  })

  serve(routes, operations.getPinnedFingerprintScript, async (context) => {
    const pinned = await archive.find(context.req.param('pinned').slice('device@'.length))
    if (pinned === null) throw new ApiError('not-found', 'no script with this hash was ever served here')
    return sendScript(context, pinned, 'public, max-age=31536000, immutable')
  })

  routes.use(`${SCRIPT_PATH}/sessions`, allowAnyPage)
  // The script never needs a preflight; tools that add a header to every request of a page make one necessary.
  serve(routes, operations.preflightDeviceSession, (context) =>
    context.body(null, 204, {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': context.req.header('Access-Control-Request-Headers') ?? '',
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    }),
  )
  serve(routes, operations.openDeviceSession, async (context) => {
    const mediaType = context.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase()
    if (mediaType !== undefined && mediaType !== 'text/plain') {
      throw new ApiError('unsupported-media-type', 'send the signals as text/plain')
    }
    const body = await readBody(context.req.raw, SIGNALS_BYTES_MAX)
    return context.text(await open(context, new TextDecoder().decode(body)), 200, { 'Cache-Control': 'no-store' })
  })

  return routes

  function open(context: Context<ServiceEnv>, body: string | null): Promise<string> {
    const address = clientAddress(context, trustedHops)
    const waitSeconds = mintLimit(address)
    if (waitSeconds !== null) {
      throw new RateLimited('device-sessions', 'too many device sessions from this network, try again later', {
        'Retry-After': String(waitSeconds),
      })
    }
    return sessions.open({ body, headers: context.req.raw.headers, address })
  }
}

/** `CORP` for pages under `COEP`, `ACAO` for tags with `crossorigin` or `integrity`, `TAO` for lenders who measure. */
const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Timing-Allow-Origin': '*',
}

function sendScript(context: Context<ServiceEnv>, script: Script, cacheControl: string): Response {
  return sendPrepared(context, script, {
    ...SCRIPT_HEADERS,
    'Cache-Control': cacheControl,
    // A lender pins the script by these headers: the address of exactly these bytes, and their integrity.
    'Content-Location': `${SCRIPT_PATH}@${script.hash}`,
    'X-Integrity': `sha384-${script.digest}`,
  })
}

// Without credentials: the host also serves the console, whose cookies no page may send along. Errors carry these
// headers too, or the script could not tell a refusal from a broken network.
const allowAnyPage: MiddlewareHandler<ServiceEnv> = async (context, next) => {
  await next()
  const { headers } = context.res
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
  headers.set('Timing-Allow-Origin', '*')
}

// Limits the sessions that one address and one network may open. Kept in memory, per process, and bounded: this only
// has to make flooding the table expensive. What a session is worth is decided when it is used, and that is limited by
// the lender's credentials.

/** Generous, because a whole mobile operator's customers can share a handful of addresses. */
const SESSIONS_PER_MINUTE = 600
/** So that one address cannot use up what its neighbours need. */
const NETWORK_TIMES = 10

/** Whole seconds to wait, or null when the session may be opened, which then counts. */
export type MintLimit = (address: string | null) => number | null

export function createMintLimit(clock: Clock, perMinute = SESSIONS_PER_MINUTE): MintLimit {
  const households = createBuckets(perMinute, clock)
  const networks = createBuckets(perMinute * NETWORK_TIMES, clock)

  return (address) => {
    const network = address === null ? null : networkOf(address)
    if (address === null || network === null) return households('unknown')
    return households(householdOf(address)) ?? networks(network)
  }
}
