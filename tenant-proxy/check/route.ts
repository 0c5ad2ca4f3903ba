import { Branch } from '../../contract/generate.ts'
import { read } from '../../contract/problems.ts'
import { SCENARIOS, TEST_SCENARIO_PATH } from '../../contract/tenant-proxy.ts'
import type { TestStory } from '../settings.ts'
import { Refusal } from './refusal.ts'

/**
 * Everything a mount answers. Nothing of a browser's path ever becomes part of a path at the service: ids are compared
 * with the sealed cookie, and the cookie's are used.
 */
export type Route =
  | { to: 'generate' }
  | { to: 'otp-challenge' | 'resend-sms'; creditReportId: string }
  | { to: 'current' }
  | { to: 'open' }
  | { to: 'addresses' }
  | { to: 'steps' }
  | { to: 'draft' }
  | { to: 'webhook' }
  | { to: 'doctor' }
  | { to: 'file'; name: string }

const METHODS: Record<Route['to'], readonly string[]> = {
  generate: ['POST'],
  'otp-challenge': ['POST'],
  'resend-sms': ['POST'],
  current: ['GET', 'HEAD', 'DELETE'],
  open: ['POST'],
  addresses: ['GET'],
  steps: ['POST'],
  draft: ['POST', 'DELETE'],
  webhook: ['POST'],
  doctor: ['GET', 'HEAD'],
  file: ['GET', 'HEAD'],
}

/** Throws the `Refusal` that says what the route does answer. */
export function requireMethod(method: string, route: Route): void {
  const allowed = METHODS[route.to]
  if (!allowed.includes(method)) throw new Refusal('method-not-allowed', { allow: allowed.join(', ') })
}

export type Place = {
  /** The path below which this mount, or this repetition of it, answers: relative to the mount, empty for the mount itself. */
  subPath: string
  /** What a path below `/test/…` decides; undefined for the mount itself. */
  story?: TestStory
  route: Route | null
}

// Letters, digits and what needs no escaping; never only dots, which would climb.
const id = '[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,199}'
const identifier = new RegExp(`^${id}$`)
const patterns: [RegExp, (match: string) => Route][] = [
  [/^$/, () => ({ to: 'generate' })],
  [/^\/current$/, () => ({ to: 'current' })],
  [/^\/current\/open$/, () => ({ to: 'open' })],
  [/^\/addresses$/, () => ({ to: 'addresses' })],
  [/^\/steps$/, () => ({ to: 'steps' })],
  [/^\/draft$/, () => ({ to: 'draft' })],
  [/^\/webhook$/, () => ({ to: 'webhook' })],
  [/^\/doctor$/, () => ({ to: 'doctor' })],
  [new RegExp(`^/(${id})/otp-challenge$`), (creditReportId) => ({ to: 'otp-challenge', creditReportId })],
  [new RegExp(`^/(${id})/resend-sms$`), (creditReportId) => ({ to: 'resend-sms', creditReportId })],
  // No longer than a file system takes.
  [/^\/(?=[^/]{1,100}$)([\w-]+(?:\.[\w-]+)*\.(?:js|json))$/, (name) => ({ to: 'file', name })],
]

const story = new RegExp(`^/${TEST_SCENARIO_PATH}/([^/]+)/([^/]+)/([\\w-]{1,64})(?=/|$)`)

/** Where a path leads; null when it is not below the mount at all. */
export function findPlace(mount: string, pathname: string, testScenarios: boolean): Place | null {
  if (pathname !== mount && !pathname.startsWith(`${mount}/`)) return null
  const rest = pathname.slice(mount.length)
  const [subPath = '', branchName, scenarioName] = (testScenarios && story.exec(rest)) || []
  if (subPath === '') return { subPath, route: findRoute(rest) }
  const branch = read(Branch, branchName)
  const scenario = SCENARIOS.find((name) => name === scenarioName)
  if (!branch.ok || !scenario) return { subPath: '', route: null }
  return { subPath, story: { branch: branch.value, scenario }, route: findRoute(rest.slice(subPath.length)) }
}

/** True for an id that can stand in a path and in a cookie as it is. */
export function isIdentifier(value: string): boolean {
  return identifier.test(value)
}

/** With or without a slash at the end, which some frameworks add; a file has none, because its chunks are found beside it. */
function findRoute(given: string): Route | null {
  const path = given.endsWith('/') ? given.slice(0, -1) : given
  for (const [pattern, toRoute] of patterns) {
    const match = pattern.exec(path)
    if (!match) continue
    const route = toRoute(match[1] ?? '')
    return route.to === 'file' && path !== given ? null : route
  }
  return null
}
