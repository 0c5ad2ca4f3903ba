// The document and the router say the same: what is served is described, what is described is served.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../../openapi/operation.ts'
import { startTestService, type TestService } from '../../testing/portal-service.ts'
import { allRows } from '../rows.ts'

/** Pages for people, and what only the demo has; no program calls them. */
const NOT_FOR_PROGRAMS =
  /^\w+ \/(?:$|docs|llms\.txt$|AGENTS\.md$|console|c\/|invitations|password-links|demo\/|\.well-known\/security\.txt$|v1\/oauth\/(?:signed-out|style\.css|sign-in\/))/

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

test('every route is in the document, and every operation of the document is a route', () => {
  const served = service.routes
    .filter((route) => !route.startsWith('ALL '))
    .filter((route) => !NOT_FOR_PROGRAMS.test(route))
  expect(served.length).toBeGreaterThan(20)
  expect(served.sort()).toEqual(
    Object.values(operationsOf(allRows))
      .map(({ route }) => route)
      .sort(),
  )
})
