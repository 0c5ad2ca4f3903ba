// The ways a provider can misbehave, each as one function that answers a request badly.
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** A proper answer, ready to be spoilt. */
export type Answer = { status: number; body: unknown }

export type Fault =
  /** The right answer, late. */
  | { kind: 'slow'; ms: number }
  /** No answer, ever. */
  | { kind: 'hang' }
  /** Another status and no body to speak of. */
  | { kind: 'status'; status: number }
  /** The connection is reset before anything was done. */
  | { kind: 'reset' }
  /** Everything was done, and the answer lost on the way. */
  | { kind: 'lost' }
  /** The answer breaks off in the middle. */
  | { kind: 'cut' }
  /** A byte now and then, for ever. */
  | { kind: 'drip' }
  /** A page where data was expected. */
  | { kind: 'garbage' }
  /** Good JSON of another shape. */
  | { kind: 'nonsense' }
  /** A body without end. */
  | { kind: 'huge' }
  /** Nothing but opening brackets. */
  | { kind: 'deep' }
  /** Little on the wire, endless when unpacked. */
  | { kind: 'bomb' }
  /** The caller is sent somewhere else. */
  | { kind: 'redirect'; to: string }
  /** A good answer, about another person. */
  | { kind: 'wrong-person' }
  /** The right answer, changed by hand. */
  | { kind: 'altered'; alter: (body: unknown) => unknown }

/** True when the provider does its work before it misbehaves. */
export function actsFirst(fault: Fault | null): boolean {
  return fault === null || ['slow', 'lost', 'cut', 'drip', 'garbage', 'wrong-person', 'altered'].includes(fault.kind)
}

const ANOTHER_PERSON = { firstName: 'Pat', lastName: 'Somebody-Else', dateOfBirth: '1970-01-01' }
const DRIP_EVERY_MS = 50
const HUGE_CHUNK = 'x'.repeat(65_536)
const DEEP_BYTES = 1_900_000
const BOMB_BYTES = 50_000_000

export function answerBadly(response: ServerResponse, answer: Answer, fault: Fault): void {
  const json = { 'Content-Type': 'application/json' }
  switch (fault.kind) {
    case 'slow': {
      const timer = setTimeout(() => answerWell(response, answer), fault.ms)
      response.on('close', () => clearTimeout(timer))
      return
    }
    case 'hang':
      return
    case 'status':
      response.writeHead(fault.status, { 'Content-Type': 'text/plain' }).end('no')
      return
    case 'reset':
    case 'lost':
      response.socket?.resetAndDestroy()
      return
    case 'cut': {
      const body = JSON.stringify(answer.body)
      response.writeHead(answer.status, { ...json, 'Content-Length': body.length })
      response.write(body.slice(0, body.length / 2), () => response.socket?.destroy())
      return
    }
    case 'drip':
      response.writeHead(answer.status, json)
      drip(response)
      return
    case 'garbage':
      response.writeHead(200, json).end('<!doctype html><title>Maintenance</title>')
      return
    case 'nonsense':
      response.writeHead(200, json).end('{"accounts":"none","decision":"maybe","status":7,"messageId":[]}')
      return
    case 'huge':
      response.writeHead(200, json)
      pour(response)
      return
    case 'deep':
      response.writeHead(200, json).end('['.repeat(DEEP_BYTES))
      return
    case 'bomb':
      response.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(BOMB_BYTES, ' ')))
      return
    case 'redirect':
      response.writeHead(302, { Location: fault.to }).end()
      return
    case 'wrong-person':
      answerWell(response, { ...answer, body: { ...Object(answer.body), person: ANOTHER_PERSON } })
      return
    case 'altered':
      answerWell(response, { ...answer, body: fault.alter(answer.body) })
  }
}

export function answerWell(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), DRIP_EVERY_MS)
  response.on('close', () => clearInterval(timer))
}

/** As fast as the reader takes it, until the reader closes the connection. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(HUGE_CHUNK));
  if (!response.destroyed) response.once('drain', () => pour(response))
}
