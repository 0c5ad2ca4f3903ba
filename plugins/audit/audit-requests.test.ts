// The line of one audited request; audit-requests.engines.test.ts asks the whole service.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../service/http/caller.ts'
import type { Account, ServiceEnv } from '../../service/http/context.ts'
import { createLog, createSilentLog } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { createActingApp } from '../../testing/acting.ts'
import { UMA } from '../../testing/callers.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createAuditRequests } from './audit-requests.ts'
import { listAudit } from './store.ts'

const HOUR_MS = 3_600_000
const time = { nowMs: Date.UTC(2026, 10, 15, 9) }

const machine: Caller = { kind: 'client', clientId: 'acme-server', tenantIds: ['acme'], scopes: [] }
const person: Caller = { ...UMA, tenantIds: ['acme', 'brook'], roles: {} }
const account: Account = { userId: 'user-2', name: 'Tom Two', email: 'tom@brook.example', tenantIds: ['brook'] }

let folder: string
let database: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'audit-requests-'))
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const lines = async () => (await listAudit(database, { tenantId: null, limit: 100 })).toReversed()

/** The work of the route before it answers. */
type Found = Partial<Pick<ServiceEnv['Variables'], 'caller' | 'account' | 'tenantId' | 'creditReportId' | 'isAsked'>>
type Given = Found & { status?: number; path?: string; filesOnly?: boolean; does?: 'something' | 'another action' }

function createApp(given: Given, { log = createSilentLog(), queries = database } = {}) {
  const { status = 200, filesOnly, does, path: _path, ...found } = given
  const clock = () => time.nowMs
  const audit = createAuditRequests({ clock, log })
  const app = createActingApp({ database: queries, clock })
  for (const path of ['/:tenantId/things', '/:tenantId/things/:thing', '/:tenantId/things/:thing/:uid']) {
    app.use(path, (context, next) => {
      context.set('act', context.get('actAs')('report.read'))
      return next()
    })
    app.use(path, audit({ filesOnly: filesOnly === true }))
    app.get(path, async (context) => {
      for (const [name, value] of Object.entries(found)) context.set(name as keyof Found, value as never)
      if (does === 'something') await context.get('act').transaction(async () => true)
      if (does === 'another action')
        await context
          .get('actAs')('sign-in.again')
          .transaction(async () => true)
      return context.body(null, status as 200)
    })
  }
  return app
}

async function ask(given: Given) {
  const env = { incoming: { socket: { remoteAddress: '10.0.0.1' } } }
  const headers = { 'X-Forwarded-For': '203.0.113.7' }
  await createApp(given).request(given.path ?? '/acme/things', { headers }, env)
}

test('a line says when, who, what, from where and how it ended', async () => {
  await ask({ caller: person, tenantId: 'acme', path: '/acme/things/7/passing' })
  expect(await lines()).toEqual([
    {
      id: expect.any(String),
      link: null,
      atMs: time.nowMs,
      tenantId: 'acme',
      actorKind: 'person',
      actorId: 'user-1',
      actorName: 'Uma One',
      actorEmail: 'uma@acme.example',
      action: 'report.read',
      // Neither the lender, which has a field of its own, nor the id of a sign-in in progress.
      object: '7',
      change: null,
      address: '203.0.113.7',
      outcome: '200',
    },
  ])
})

type Row = [name: string, given: Given, outcomes: string[]]
test.each<Row>([
  ['a machine', { caller: machine }, ['200']],
  ['a machine that is refused', { caller: machine, status: 400 }, ['400']],
  ['a machine where only files count', { caller: machine, filesOnly: true }, []],
  ['a machine that is refused for its request there', { caller: machine, filesOnly: true, status: 404 }, []],
  ['a machine that is refused access there', { caller: machine, filesOnly: true, status: 403 }, ['403']],
  ['a machine that is given a file there', { caller: machine, filesOnly: true, does: 'something' }, ['done']],
  ['a person where only files count', { caller: person, tenantId: 'acme', filesOnly: true }, ['200']],
  ['someone unknown', {}, []],
  ['what was done', { caller: machine, does: 'something', status: 303 }, ['done']],
  ['what was done and then failed', { caller: machine, does: 'something', status: 400 }, ['done', '400']],
  ['another action of the same request', { caller: machine, does: 'another action' }, ['done', '200']],
  ['a request that was answered with a question', { caller: machine, isAsked: true }, []],
])('%s leaves these outcomes', async (_name, given, outcomes) => {
  await ask(given)
  expect((await lines()).map(({ outcome }) => outcome)).toEqual(outcomes)
})

test('another action is called by its own name', async () => {
  await ask({ caller: machine, does: 'another action' })
  expect((await lines()).map(({ action }) => action)).toEqual(['sign-in.again', 'report.read'])
})

const machineLine = { actorKind: 'client', actorId: 'acme-server', actorName: null, actorEmail: null }
const personLine = { actorKind: 'person', actorId: 'user-1', actorName: 'Uma One', actorEmail: 'uma@acme.example' }
const tried = {
  actorKind: 'unknown',
  actorId: null,
  actorName: 'Tom Two',
  actorEmail: 'tom@brook.example',
  object: 'user-2',
}

test.each<[name: string, given: Given, expected: object[]]>([
  ['a machine, in its lender’s trail', { caller: machine }, [{ ...machineLine, tenantId: 'acme', object: null }]],
  [
    'a person without a chosen lender, in the trail of each of theirs',
    { caller: person },
    [
      { ...personLine, tenantId: 'acme' },
      { ...personLine, tenantId: 'brook' },
    ],
  ],
  [
    'a person at one lender, in its trail',
    { caller: person, tenantId: 'brook' },
    [{ ...personLine, tenantId: 'brook' }],
  ],
  ['a person of no lender, in no one’s', { caller: { ...person, tenantIds: [] } }, [{ ...personLine, tenantId: null }]],
  ['an account that was tried, in its lender’s', { account, status: 400 }, [{ ...tried, tenantId: 'brook' }]],
  [
    'an account of no lender that was tried, in no one’s',
    { account: { ...account, tenantIds: [] }, status: 400 },
    [{ ...tried, tenantId: null }],
  ],
  [
    'a caller who tried an account, by who they are',
    { caller: machine, account },
    [{ ...machineLine, tenantId: 'acme', object: null }],
  ],
  [
    'what no one is known to have done',
    { does: 'something' },
    [{ actorKind: 'unknown', actorId: null, tenantId: null }],
  ],
  ['a report that was made', { caller: machine, creditReportId: 'report-1' }, [{ object: 'report-1' }]],
  [
    'what the path names, before the report',
    { caller: machine, creditReportId: 'report-1', path: '/acme/things/7' },
    [{ object: '7' }],
  ],
])('%s', async (_name, given, expected) => {
  await ask(given)
  await expect.poll(lines).toMatchObject(expected)
})

test('twenty tries at one account in an hour are written down, and those at another are its own', async () => {
  const failing = createApp({ account, status: 400 })
  const startMs = time.nowMs
  for (let count = 0; count < 25; count += 1) await failing.request('/acme/things')
  await expect.poll(lines).toHaveLength(20)
  time.nowMs = startMs + HOUR_MS - 1
  await failing.request('/acme/things')
  time.nowMs = startMs + HOUR_MS
  await failing.request('/acme/things')
  await expect.poll(lines).toHaveLength(21)
  time.nowMs = startMs
})

test('a failed sign-in that cannot be written down is logged, and answered all the same', async () => {
  const logged: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => logged.push(line) } })
  const down: Database = { ...database, run: () => Promise.reject(new RangeError('down')) }
  const response = await createApp({ account, status: 400 }, { log, queries: down }).request('/acme/things')
  expect(response.status).toBe(400)
  await expect
    .poll(() => logged.map((line) => JSON.parse(line)))
    .toMatchObject([{ event: 'failed sign-in not audited', errorClass: 'RangeError' }])
})
