import { OPTIONS } from '../../../tenant-proxy/settings.ts'
import type { Survivors } from './survivor.ts'

export const tenantProxy: Survivors = {
  'tenant-proxy/adapters.ts': [
    {
      source: 'answer(proxy, request, response, path).catch(() => response.destroy())',
      change: 'response.destroy() → (undefined)',
      why: 'Nothing throws there: the proxy turns every mistake into an answer.',
    },
    {
      source: 'for (let index = 0; index + 1 < rawHeaders.length; index += 2) {',
      change: '< → <=',
      why: 'Names and values come in pairs: the length is even, and the index too.',
    },
    {
      source: "const [name = '', value = ''] = rawHeaders.slice(index, index + 2)",
      change: '2 → 3',
      why: 'A third one is not looked at.',
    },
    {
      source: "return reply.send(typeof body === 'string' || body === null ? body : Buffer.from(body))",
      change: "typeof body === 'string' || body === null → true",
      why: 'The Fastify of the tests sends bytes of either kind.',
    },
  ],
  'tenant-proxy/browser-request.ts': [
    {
      source: "if (Number(headers.get('Content-Length') ?? 0) > BODY_BYTES_MAX) throw new Refusal('payload-too-large')",
      change: '0 → 1',
      why: 'One byte is not too many either.',
    },
  ],
  'tenant-proxy/challenge.ts': [
    {
      source: 'const retryAfterSeconds = Math.max(1, Math.ceil((expiresAtMs - settings.clock()) / 1_000))',
      change: '1 → 2',
      why: 'Only in the last second of a challenge a second longer is named, and by then it is over either way.',
    },
    {
      source: 'if (error instanceof Refusal) return error',
      change: 'error instanceof Refusal → true',
      why: 'The service is asked in a way that throws refusals alone; anything else becomes an internal error either way.',
    },
    {
      source: 'throw error',
      change: 'throw error → ;',
      why: 'The service is asked in a way that throws refusals alone; anything else becomes an internal error either way.',
    },
  ],
  'tenant-proxy/client/call.ts': [
    {
      source: 'waitsLeft = { ...waitsLeft, running: waitsLeft.running - 1 }',
      change: 'waitsLeft = { ...waitsLeft, running: waitsLeft.running - 1 } → ;',
      why: 'That it stops waiting for another request after five seconds no test waits to see.',
    },
    {
      source: '} else if (restartMs !== null && waitsLeft.restarting > 0 && leftMs() > restartMs) {',
      change: '> → >=',
      why: 'A last try is made or not when not a millisecond is left for it.',
    },
    {
      source: 'const leftMs = () => Math.max(1, Math.ceil(deadlineMs - performance.now()))',
      change: '1 → 2',
      why: 'A request whose time is up has two milliseconds left instead of one.',
    },
    {
      source: 'const body = call.body === undefined ? undefined : JSON.stringify(call.body)',
      change: 'call.body === undefined → false',
      why: 'JSON of nothing is nothing.',
    },
    {
      source: '} else if (received.status === 409 && waitsLeft.running > 0 && leftMs() > IN_PROGRESS_WAIT_MS) {',
      change: '> → >=',
      why: 'Only a wait that would end in the very millisecond of the deadline differs; the other comparison a test does notice.',
    },
    {
      source: '} else if (received.status === 409 && waitsLeft.running > 0 && leftMs() > IN_PROGRESS_WAIT_MS) {',
      change: '0 → 1',
      why: 'It gives up after four seconds instead of five; no test waits so long.',
    },
    {
      source: 'waitsLeft = { ...waitsLeft, running: waitsLeft.running - 1 }',
      change: '1 → 2',
      why: 'It gives up after three seconds instead of five; no test waits so long.',
    },
    {
      source: 'if (!RESTARTING_STATUSES.includes(status)) return null',
      change: 'null → undefined',
      why: 'No time that is left is more than undefined, so it is not waited for either.',
    },
    {
      source: 'return seconds > RESTARTING_WAIT_SECONDS_MAX ? null : seconds * 1_000',
      change: '> → >=',
      why: 'Only five seconds exactly differ; no test waits so long.',
    },
  ],
  'tenant-proxy/client/client.ts': [
    {
      source: "return given.length === 0 ? '' : `?${new URLSearchParams(given)}`",
      change: 'given.length === 0 → false',
      why: 'A question mark with nothing behind it is left out of what is sent.',
    },
  ],
  'tenant-proxy/client/errors.ts': [
    {
      source: 'const { status } = error instanceof TokenError ? error : {}',
      change: 'error instanceof TokenError → true',
      why: 'A call without an answer has no status either.',
    },
    {
      source: 'super(message, cause === undefined ? {} : { cause })',
      change: 'cause === undefined → false',
      why: 'A cause that is undefined is none.',
    },
  ],
  'tenant-proxy/client/transport.ts': [
    {
      source: "const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }",
      change: 'body === undefined → true',
      why: 'Node counts the bytes of a body that is handed over whole by itself.',
    },
    {
      source: 'resolve({ status: answer.statusCode ?? 0, header: headersOf(answer).get, body: tryParseJson(bytes) })',
      change: '0 → 1',
      why: 'An answer always has a status; the default is there for the type.',
    },
    {
      source: 'const response = await fetch(url, body === undefined ? options : { ...options, body })',
      change: 'body === undefined → false',
      why: 'To `fetch` a body that is undefined is none; the condition is there for the type.',
    },
  ],
  'tenant-proxy/current.ts': [
    {
      source:
        'const end = ends.get(creditReportId) ?? { status, endedAtMs: isKnown ? known.endedAtMs : settings.clock() }',
      change: 'isKnown → false',
      why: 'Only an older copy of the cookie would see the end for longer, at a process that learns of it from the newer one.',
    },
    {
      source: 'if (!(error instanceof Refusal)) throw error',
      change: '!(error instanceof Refusal) → false',
      why: 'The service is asked in a way that throws refusals alone; anything else becomes an internal error either way.',
    },
    {
      source: 'if (!(error instanceof Refusal)) throw error',
      change: 'throw error → ;',
      why: 'The service is asked in a way that throws refusals alone; anything else becomes an internal error either way.',
    },
  ],
  'tenant-proxy/delivery.ts': [
    {
      source: 'const first = isDelivered(creditReportId, value, 1)',
      change: '1 → 2',
      why: 'The number of a try is told with the sixth alone.',
    },
  ],
  'tenant-proxy/doctor.ts': [
    {
      source: 'if (!(error instanceof TokenError)) throw error',
      change: 'throw error → ;',
      why: 'Whatever else it were would be a mistake of ours; none is known.',
    },
  ],
  'tenant-proxy/generate.ts': [
    {
      source: 'if (!place.isPreview) parts.notices.seeCheck(address, browserRequest.incoming.headers)',
      change: '!place.isPreview → true',
      why: 'Only a preview on the developer’s own network would be told of hops that it does not have.',
    },
    {
      source: 'if (!settings.externalReference) return {}',
      change: '{} → undefined',
      why: 'Nothing is added to the request either way.',
    },
    {
      source: 'if (!test) readiness.noteWallet({ cost, balance })',
      change: '!test → true',
      why: 'A test costs nothing, and such an answer says nothing of the wallet.',
    },
    {
      source: '...(locale === undefined ? {} : { locale }),',
      change: 'locale === undefined → false',
      why: 'A field that is undefined and one that is absent are the same to a reader; the condition is there for the type.',
    },
    {
      source: '...(ending === undefined ? {} : { mobileNumberEnding: ending }),',
      change: 'ending === undefined → false',
      why: 'JSON leaves out what is undefined; the condition is there for the type.',
    },
    { source: 'if (!externalReference) return {}', change: '{} → undefined', why: 'Nothing adds no field either.' },
  ],
  'tenant-proxy/read-message.ts': [
    {
      source: "if (!message.readableEnded) reject(new Error('the other side went away'))",
      change: '!message.readableEnded → true',
      why: 'A promise that is settled takes no rejection; the condition only saves the time of making the error.',
    },
  ],
  'tenant-proxy/readiness.ts': [
    { source: 'let seenAtMs = 0', change: '0 → 1', why: 'It is read only once an obstacle was seen.' },
  ],
  'tenant-proxy/refusal.ts': [
    {
      source: "this.name = 'Refusal'",
      change: "this.name = 'Refusal' → ;",
      why: 'A refusal is always caught and answered; its name is for who looks on with a debugger.',
    },
  ],
  'tenant-proxy/service-client.ts': [
    {
      source: 'throw error instanceof ServiceError ? refusalFor(error, about, emit) : error',
      change: 'error instanceof ServiceError → true',
      why: 'Anything else is a mistake of ours, and becomes an internal error either way.',
    },
  ],
  'tenant-proxy/settings.ts': [
    ...Object.keys(OPTIONS).map((option) => ({
      source: `${option}: true,`,
      change: 'true → false',
      why: 'Only the names of the options are looked at, not what stands beside them.',
    })),
  ],
  'tenant-proxy/ticket-cookie.ts': [
    {
      source: 'if (sealed.length > SEALED_LENGTH_MAX) continue',
      change: '> → >=',
      why: 'The length is below what browsers keep anyway; one character less of it is as good.',
    },
  ],
  'tenant-proxy/webhook.ts': [
    {
      source: 'if (!(error instanceof WebhookError)) throw error',
      change: '!(error instanceof WebhookError) → false',
      why: 'Nothing else is thrown there: secrets are checked at the start.',
    },
    {
      source: 'if (!(error instanceof WebhookError)) throw error',
      change: 'throw error → ;',
      why: 'Nothing else is thrown there: secrets are checked at the start.',
    },
  ],
  'tenant-proxy/widget-files.ts': [
    {
      source: 'return { current: null, previous: null }',
      change: '{ current: null, previous: null } → undefined',
      why: 'Where the tests run, the package is always found.',
    },
  ],
}
