// `POST /decide` of the stand-alone proxy: `decide()` for a lender's server in any language. Beside the mount and never
// below it, because the mount is public, and only with the shared secret: behind a reverse proxy every caller has a
// loopback address.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { read, writeProblems } from '../contract/problems.ts'
import { isJson, NOT_JSON, tryParseJson } from '../kit/json-body.ts'
import { isSameSecret } from '../kit/keys.ts'
import { Refusal } from './check/refusal.ts'
import { readDecideOptions } from './decide-options.ts'
import { json, type Outgoing, refusal } from './exchange.ts'
import { PATIENCE } from './patience.ts'
import { headersOf, readMessage } from './read-message.ts'
import type { TenantProxy } from './tenant-proxy.ts'

export const DECIDE_PATH = '/decide'

/** Says the status without a JSON reader. */
const STATUS_HEADER = 'X-Credit-Report-Status'

/** The rest of it are the options of `decide()`, which reads them strictly. */
const DecideBody = z.looseObject({
  /** The `Cookie` header of the browser's request to the lender's page. */
  cookie: z.string(),
  /** Its `Host` header: the host that the browser sees. */
  host: z.string().check(z.minLength(1, 'must be the host that the browser sees')),
})

export async function answerDecide(
  proxy: TenantProxy,
  secret: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { status, headers, body } = await outgoingOf(proxy, secret, request)
  // The rest of a body that was not read would be taken for the next request.
  response.writeHead(status, { ...headers, Connection: 'close' }).end(body)
}

async function outgoingOf(proxy: TenantProxy, secret: string, request: IncomingMessage): Promise<Outgoing> {
  if (request.method !== 'POST') return refuse(405, 'method-not-allowed', 'use POST', { Allow: 'POST' })
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!isSameSecret(given, secret)) {
    return refuse(401, 'unauthorized', 'Authorization must be "Bearer" and DECIDE_SECRET', {
      'WWW-Authenticate': 'Bearer',
    })
  }
  if (!isJson(headersOf(request))) return refuse(415, 'unsupported-media-type', 'send application/json')
  const bytes = await readMessage(request, BODY_BYTES_MAX, PATIENCE).catch(() => null)
  if (bytes !== null && bytes.length > BODY_BYTES_MAX) return refuse(413, 'payload-too-large', 'send at most 64 KiB')
  const body = bytes === null ? undefined : tryParseJson(bytes)
  if (body === undefined) return refuse(400, 'validation-error', NOT_JSON)
  const reading = read(DecideBody, body)
  if (!reading.ok) return refuse(400, 'validation-error', writeProblems(reading.problems))
  const { cookie, host, ...options } = reading.value
  try {
    readDecideOptions(options)
  } catch (error) {
    return refuse(400, 'validation-error', (error as Error).message)
  }
  try {
    const decision = await proxy.decide({ headers: { cookie, host } }, options)
    return json(decision, 200, { [STATUS_HEADER]: decision.status })
  } catch (error) {
    return refusal(error instanceof Refusal ? error : new Refusal('internal-error'))
  }
}

function refuse(status: number, code: string, message: string, headers: { [name: string]: string } = {}): Outgoing {
  return json({ code, message }, status, headers)
}
