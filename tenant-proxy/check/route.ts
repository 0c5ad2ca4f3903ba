import { Branch } from '../../contract/generate.ts'
import { read } from '../../contract/problems.ts'
import { SCENARIOS, TEST_SCENARIO_PATH } from '../../contract/tenant-proxy.ts'
import type { TestStory } from '../settings.ts'
import type { Extra, ExtraRoute } from './extra.ts'
import { Refusal } from './refusal.ts'

/**
 * Everything a mount answers: the requests of a check, files, and what extras add. Nothing of a browser's path ever
 * becomes part of a path at the service: ids are compared with the sealed cookie, and the cookie's are used.
 */
export type Route =
  | { to: 'generate' }
  | { to: 'otp-challenge' | 'resend-sms'; creditReportId: string }
  | { to: 'current' }
  | { to: 'file'; name: string }
  | { to: 'extra'; methods: readonly string[]; answer: ExtraRoute['answer'] }

const METHODS: Record<Exclude<Route['to'], 'extra'>, readonly string[]> = {
  generate: ['POST'],
  'otp-challenge': ['POST'],
  'resend-sms': ['POST'],
  current: ['GET', 'HEAD', 'DELETE'],
  file: ['GET', 'HEAD'],
}

/** Throws the `Refusal` that says what the route does answer. */
export function requireMethod(method: string, route: Route): void {
  const allowed = route.to === 'extra' ? route.methods : METHODS[route.to]
  if (!allowed.includes(method)) throw new Refusal('method-not-allowed', { allow: allowed.join(', ') })
}

export type Place = {
  /**
   * The path below which this mount, or this repetition of it, answers: relative to the mount, empty for the mount
   * itself.
   */
  subPath: string
  /** The scenario of a path below `/test/…`; undefined for the mount itself. */
  story?: TestStory
  route: Route | null
}

// Letters, digits and what needs no escaping; never only dots, which would climb.
const id = '[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,199}'
const identifier = new RegExp(`^${id}$`)
const patterns: [RegExp, (match: string) => Route][] = [
  [/^$/, () => ({ to: 'generate' })],
  [/^\/current$/, () => ({ to: 'current' })],
  [new RegExp(`^/(${id})/otp-challenge$`), (creditReportId) => ({ to: 'otp-challenge', creditReportId })],
  [new RegExp(`^/(${id})/resend-sms$`), (creditReportId) => ({ to: 'resend-sms', creditReportId })],
  // No longer than a file system takes.
  [/^\/(?=[^/]{1,100}$)([\w-]+(?:\.[\w-]+)*\.(?:js|json))$/, (name) => ({ to: 'file', name })],
]

const story = new RegExp(`^/${TEST_SCENARIO_PATH}/([^/]+)/([^/]+)/([\\w-]{1,64})(?=/|$)`)

type Mounted = { path: string; testScenarios: boolean; extras: readonly Extra[] }

/** The route of a path; null when it is not below the mount. */
export function findPlace(pathname: string, { path: mount, testScenarios, extras }: Mounted): Place | null {
  if (pathname !== mount && !pathname.startsWith(`${mount}/`)) return null
  const rest = pathname.slice(mount.length)
  const [subPath = '', branchName, scenarioName] = (testScenarios && story.exec(rest)) || []
  if (subPath === '') return { subPath, route: findRoute(rest, extras) }
  const branch = read(Branch, branchName)
  const scenario = SCENARIOS.find((name) => name === scenarioName)
  if (!branch.ok || !scenario) return { subPath: '', route: null }
  return { subPath, story: { branch: branch.value, scenario }, route: findRoute(rest.slice(subPath.length), extras) }
}

/** True for an id that can stand in a path and in a cookie as it is. */
export function isIdentifier(value: string): boolean {
  return identifier.test(value)
}

/**
 * With or without a slash at the end, which some frameworks add; a file has none, because its chunks are found beside
 * it.
 */
function findRoute(given: string, extras: readonly Extra[]): Route | null {
  const path = given.endsWith('/') ? given.slice(0, -1) : given
  const extra = extras.flatMap(({ routes = [] }) => routes).find((route) => route.path === path)
  if (extra) return { to: 'extra', methods: extra.methods, answer: extra.answer }
  for (const [pattern, toRoute] of patterns) {
    const match = pattern.exec(path)
    if (!match) continue
    const route = toRoute(match[1] ?? '')
    return route.to === 'file' && path !== given ? null : route
  }
  return null
}
