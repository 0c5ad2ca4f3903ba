// Every act, at every door, by every role: allowed exactly as the act says, and what is not there, or is another
// lender's, is not found.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS, ROLES, type Role } from '../contract/roles.ts'
import { operationsOf } from '../openapi/operation.ts'
import { addEndpoint } from '../plugins/webhooks/endpoints.ts'
import type { AnyAct } from '../service/act/act.ts'
import { deriveKeys } from '../service/keys.ts'
import { runTestAdmin } from '../testing/admin.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import type { TestBrowser } from '../testing/service-browser.ts'
import { TEST_SECRET_KEY } from '../testing/test-app.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { everyAct } from './commands.ts'
import { createOneTimeLinks } from './identity/one-time-links.ts'
import { createUsers } from './identity/users.ts'
import { allRows } from './rows.ts'

hashQuickly()

/** The input of an act besides its object. */
const FIELDS: { [act: string]: { [field: string]: string } } = {
  'client.rename': { name: 'Board' },
  'user.role': { role: 'auditor' },
}

const operations = Object.values(operationsOf(allRows))
const routeOf = (act: AnyAct) => operations.find((operation) => operation.act === act.name)?.route ?? ''
const formOf = (act: AnyAct) =>
  Object.keys(PORTAL_ROUTES).find(
    (route) => route.startsWith('POST /console') && PORTAL_ROUTES[route]?.audit === act.audit,
  ) ?? ''

let service: TestService
const browsers = new Map<Role, TestBrowser>()
const theirs: { [name: string]: string } = {}

beforeAll(async () => {
  service = await startTestService()
  const { database, time, config } = service
  const users = createUsers({ database, clock: () => time.nowMs })
  const sql = 'SELECT password_hash AS hash FROM user_account WHERE email = ?'
  const passwordHash = String((await database.first<{ hash: string }>(sql, SAM[0]))?.hash)
  for (const role of ROLES) {
    const email = `${role}@demo-lender.example`
    const person = { email, firstName: 'A', lastName: role, passwordHash, role, tenantIds: ['demo-lender'] }
    await users.create(database, person)
    const browser = service.browser()
    await browser.signIn(email, SAM[1], '/console')
    browsers.set(role, browser)
  }
  const wanted = { tenantId: 'other-lender', url: 'https://other.example/hook', nowMs: time.nowMs }
  const endpoint = await addEndpoint(database, deriveKeys(config.secretKeys).webhooks, wanted)
  await database.run(
    `INSERT INTO webhook_delivery (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
     VALUES ('their-event', ?, 'other-lender', 'wallet.low', '{}', 'parked', 1, 1, 1)`,
    endpoint?.id ?? '',
  )
  await database.run(
    `INSERT INTO api_client (id, tenant_id, name, scopes, created_at_ms)
     SELECT 'their-client', 'other-lender', name, scopes, created_at_ms FROM api_client WHERE id = 'demo-lender'`,
  )
  const secret = await database.first<{ id: string }>(
    `SELECT SUBSTR(digest, 1, 8) AS id FROM api_client_secret WHERE client_id = 'demo-lender'`,
  )
  Object.assign(theirs, { clientId: 'their-client', secretId: secret?.id, webhookId: endpoint?.id })
  const clock = () => time.nowMs
  const person = { email: 'them@other.example', firstName: 'A', lastName: 'B', tenantIds: ['other-lender'] }
  const them = await users.create(database, person)
  const invitation = { tenantId: 'other-lender', email: 'new@other.example', role: 'support', by: null } as const
  const links = createOneTimeLinks({ database, clock, users })
  await links.invite(database, invitation)
  const [invited] = await links.listFor(invitation.email)
  Object.assign(theirs, { person: them?.id, invitationId: invited?.id })
  Object.assign(theirs, { deliveryId: 'their-event', linkId: 'their-link' })
})
afterAll(() => service.stop())

type Names = { [name: string]: string }
const pathOf = (route: string, names: Names) =>
  (route.split(' ')[1] ?? '').replace(':tenantId', 'demo-lender').replace(/:(\w+)/g, (_all, name) => names[name] ?? '')
const callApi = async (role: Role, act: AnyAct, names: Names) => {
  const [method = ''] = routeOf(act).split(' ')
  const headers = { Cookie: browsers.get(role)?.cookies() ?? '', Origin: ORIGIN, 'Content-Type': 'application/json' }
  const body = JSON.stringify(FIELDS[act.name] ?? {})
  const request = new Request(ORIGIN + pathOf(routeOf(act), names), { method, headers, body })
  return (await service.fetch(request)).status
}
const callConsole = async (role: Role, act: AnyAct, names: Names) =>
  (await browsers.get(role)?.ask(pathOf(formOf(act), names), { form: FIELDS[act.name] ?? {} }))?.status ?? 0
const callAdmin = async (act: AnyAct, names: Names) => {
  const { words: typed = act.names ?? [] } = act
  const given: Names = { ...names, ...FIELDS[act.name] }
  const words = [...act.name.split('.'), 'demo-lender', ...typed.map((name) => given[name] ?? '')]
  const others = Object.entries(FIELDS[act.name] ?? {}).filter(([field]) => !typed.includes(field))
  const options = others.flatMap(([field, value]) => [`--${field}`, value])
  return (await runTestAdmin({ DATA_DIR: service.config.dataDir, SECRET_KEY: TEST_SECRET_KEY }, [...words, ...options]))
    .exitCode
}
async function everything(): Promise<string> {
  const tables = [
    'api_client',
    'api_client_secret',
    'webhook_endpoint',
    'webhook_delivery',
    'hosted_link',
    'tenant',
    'user_tenant',
    'one_time_link',
  ]
  return JSON.stringify(await Promise.all(tables.map((table) => service.database.all(`SELECT * FROM ${table}`))))
}

const named = everyAct.filter(({ names = [] }) => names.length > 0)

test('the acts that name what they are done to', () => {
  const fields = new Set(named.flatMap(({ names = [] }) => names))
  expect([...fields].filter((name) => !(name in theirs))).toEqual([])
  expect(named.length).toBeGreaterThan(5)
})

describe.each(named.map((act) => [act.name, act] as const))('%s', (_name, act) => {
  const noOnes = Object.fromEntries((act.names ?? []).map((name) => [name, 'none']))

  test.each(ROLES)('as %s: what is not there, and what is another lender’s', async (role) => {
    const before = await everything()
    const may = act.permission !== null && PERMISSIONS[role].includes(act.permission)
    for (const names of [noOnes, theirs]) {
      if (act.doors.includes('api')) expect(await callApi(role, act, names)).toBe(may ? 404 : 403)
      if (act.doors.includes('console')) expect(await callConsole(role, act, names)).toBe(may ? 404 : 403)
    }
    expect(await everything()).toBe(before)
  })

  test('as the operator', async () => {
    const before = await everything()
    for (const names of [noOnes, theirs]) if (act.doors.includes('admin')) expect(await callAdmin(act, names)).toBe(1)
    expect(await everything()).toBe(before)
  })
})

const others = everyAct.filter(({ names = [], doors }) => names.length === 0 && doors.some((door) => door !== 'admin'))

test.each(others.map((act) => [act.name, act] as const))(
  '%s: refused where the role does not include it',
  async (_name, act) => {
    const roles = ROLES.filter((role) => act.permission === null || !PERMISSIONS[role].includes(act.permission))
    expect(roles).not.toEqual([])
    for (const role of roles) {
      if (act.doors.includes('api')) expect(await callApi(role, act, {})).toBe(403)
      if (act.doors.includes('console')) expect(await callConsole(role, act, {})).toBe(403)
    }
  },
)

// Those that set something: `FIELDS` of the others makes a new thing each time.
const settings: { [act: string]: { [field: string]: string } } = {
  caps: { 'report.hour': '5' },
  'tenant.low-balance': { thresholdCredits: '5' },
  'hosted-page.set': { name: 'Harbour' },
  'client.rename': { name: 'Board' },
  'user.role': { role: 'auditor' },
  'tenant.second-factor': { secondFactor: 'optional' },
}

test.each(Object.entries(settings))('%s: a change leaves one line, the same again none', async (name, form) => {
  const { database } = service
  const act = everyAct.find((each) => each.name === name)
  if (act === undefined) throw new Error(`there is no act ${name}`)
  const support = `SELECT id FROM user_account WHERE email = 'support@demo-lender.example'`
  const ours = { clientId: 'demo-lender', person: String((await database.first<{ id: string }>(support))?.id) }
  const press = () => browsers.get('owner')?.ask(pathOf(formOf(act), ours), { form })
  const lines = async () =>
    (await database.all(`SELECT change_json FROM audit_event WHERE action = '${act.audit}'`)).length
  const before = await lines()
  expect((await press())?.status).toBe(303)
  // Two-step sign-in is optional at first.
  const changed = before + (name === 'tenant.second-factor' ? 0 : 1)
  expect(await lines()).toBe(changed)
  expect((await press())?.status).toBe(303)
  expect(await lines()).toBe(changed)
})
