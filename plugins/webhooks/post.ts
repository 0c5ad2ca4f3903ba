// One webhook over the wire. The receiver is untrusted: it may be slow, answer without end, redirect, or not exist.
import http from 'node:http'
import https from 'node:https'
import { createGuardedLookup, ForbiddenTarget, isForbidden, literalOf, type TargetRules } from './target.ts'

/** What a receiver may take, from the first connection to the last byte of its answer. */
const POST_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 65_536

/** `delivered`, or why not: `status 500`, `redirect`, `time-out` … */
type PostOutcome = string

export type PostOptions = { rules: TargetRules; timeoutMs?: number }

/** Never throws. A redirect is not followed: it would lead to an address that was not checked. */
export function postWebhook(
  { rules, timeoutMs = POST_TIMEOUT_MS }: PostOptions,
  { url, headers, body }: { url: string; headers: { [name: string]: string }; body: Uint8Array },
): Promise<PostOutcome> {
  const target = new URL(url)
  const literal = literalOf(target.hostname)
  if (rules.httpsOnly && target.protocol !== 'https:') return Promise.resolve('not https')
  if (literal !== null && isForbidden(literal, rules)) return Promise.resolve('forbidden address')
  const { request } = target.protocol === 'https:' ? https : http
  return new Promise((settle) => {
    const call = request(target, {
      method: 'POST',
      agent: false,
      lookup: createGuardedLookup(rules),
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length },
    })
    const end = (outcome: PostOutcome) => {
      settle(outcome)
      call.destroy()
    }
    call.on('error', (error) => end(reasonOf(error)))
    call.on('response', (response) => {
      const status = response.statusCode ?? 0
      let bytes = 0
      response.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length
        if (bytes > ANSWER_BYTES_MAX) end('answer too large')
      })
      response.on('error', (error) => end(reasonOf(error)))
      response.on('close', () => end('disconnected'))
      response.on('end', () => end(outcomeOf(status)))
    })
    call.end(body)
  })
}

function outcomeOf(status: number): PostOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return status >= 300 && status < 400 ? 'redirect' : `status ${status}`
}

function reasonOf(error: Error): PostOutcome {
  if (error instanceof ForbiddenTarget) return 'forbidden address'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'time-out'
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unreachable'
}
