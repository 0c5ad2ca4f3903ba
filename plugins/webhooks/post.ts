// One webhook over the wire. The receiver is untrusted: it may be slow, answer without end, redirect, or not exist.
import http from 'node:http'
import https from 'node:https'
import { createGuardedLookup, ForbiddenTarget, isForbidden, literalOf, type TargetRules } from './target.ts'

/** Time limit of a receiver, from the first connection to the last byte of its answer. */
const POST_TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 65_536

/** So much of an answer is kept, for people to read. */
const ANSWER_BYTES_KEPT = 1_024

/**
 * `outcome`: `delivered`, or why not: `status 500`, `redirect`, `time-out` … `answer`: the beginning of what the
 * receiver said.
 */
type Posted = { outcome: string; answer: string }

export type PostOptions = { rules: TargetRules; timeoutMs?: number }

/** Never throws. A redirect is not followed: it would lead to an address that was not checked. */
export function postWebhook(
  { rules, timeoutMs = POST_TIMEOUT_MS }: PostOptions,
  { url, headers, body }: { url: string; headers: { [name: string]: string }; body: Uint8Array },
): Promise<Posted> {
  const target = new URL(url)
  const literal = literalOf(target.hostname)
  if (rules.httpsOnly && target.protocol !== 'https:') return Promise.resolve({ outcome: 'not https', answer: '' })
  if (literal !== null && isForbidden(literal, rules))
    return Promise.resolve({ outcome: 'forbidden address', answer: '' })
  const { request } = target.protocol === 'https:' ? https : http
  return new Promise((settle) => {
    const call = request(target, {
      method: 'POST',
      agent: false,
      lookup: createGuardedLookup(rules),
      signal: AbortSignal.timeout(timeoutMs),
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': body.length },
    })
    let kept = Buffer.alloc(0)
    const end = (outcome: string) => {
      // A database keeps no NUL in a text.
      settle({ outcome, answer: kept.toString('utf8').replaceAll('\0', '') })
      call.destroy()
    }
    call.on('error', (error) => end(reasonOf(error)))
    call.on('response', (response) => {
      const status = response.statusCode ?? 0
      let bytes = 0
      response.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length
        if (kept.length < ANSWER_BYTES_KEPT) kept = Buffer.concat([kept, chunk]).subarray(0, ANSWER_BYTES_KEPT)
        if (bytes > ANSWER_BYTES_MAX) end('answer too large')
      })
      response.on('error', (error) => end(reasonOf(error)))
      response.on('close', () => end('disconnected'))
      response.on('end', () => end(outcomeOf(status)))
    })
    call.end(body)
  })
}

function outcomeOf(status: number): string {
  if (status >= 200 && status < 300) return 'delivered'
  return status >= 300 && status < 400 ? 'redirect' : `status ${status}`
}

function reasonOf(error: Error): string {
  if (error instanceof ForbiddenTarget) return 'forbidden address'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'time-out'
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unreachable'
}
