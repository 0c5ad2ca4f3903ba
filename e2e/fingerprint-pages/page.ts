// Pieces of the pages that the fingerprint script is tried on.
import type { Page } from '@playwright/test'
import type { Case } from './servers.ts'

/**
 * The page's notes about itself; `record` is the function it registers. Some browsers ask for an icon, whatever the
 * policy says.
 */
const RECORDER = `var calls = [], failures = [], violations = [], states = []
  function record(answer) { calls.push(answer) }
  addEventListener('error', (event) => failures.push({ filename: event.filename }))
  document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    if (!blockedURI.endsWith('/favicon.ico')) violations.push(effectiveDirective)
  })
  document.addEventListener('devicefingerprint', () => states.push(document.__deviceFingerprint.state))`

/** The nonce is there for the pages whose policy asks for one. */
export const inline = (script: string) => `<script nonce="n">${script}</script>`
export const plainTag = (device: string) => `<script nonce="n" src="${device}"></script>`
export const REGISTER = inline('window.service = { deviceFingerprint: record }')

export function pageWith(content: string): string {
  return `<!doctype html><meta charset="utf-8"><title>A lender</title>${inline(RECORDER)}${content}`
}

/** Everything the page complains about from now on. */
export function listenTo(page: Page): string[] {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') heard.push(message.text())
  })
  return heard
}

/** The sessions the service gave to this case, and whether it learned anything about the device. */
export function sessionsOf({ asked }: Case): { sessionId: string; profiled: boolean }[] {
  return asked.flatMap(({ method, body, answer }) => {
    const [, sessionId] = /^(?:document\.__deviceFingerprint\(")?([\w-]{32})(?:"\))?$/.exec(answer) ?? []
    return sessionId ? [{ sessionId, profiled: method === 'POST' && body.includes('screen') }] : []
  })
}

/** The state that the loader of a widget reads. */
export function markerOf(page: Page): Promise<{ state: string; sessionId: string }> {
  return page.evaluate(
    '({ state: document.__deviceFingerprint.state, sessionId: document.__deviceFingerprint.sessionId })',
  )
}
