// docs/examples/verify-trail.mjs, as a lender runs it: on an export, a head that it kept, and the published keys.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../contract/audit.ts'
import type { Database } from '../../service/store/database.ts'
import { openChain, SAMPLE_EVENT } from '../../testing/audit-chain.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { toEntry } from './audit-routes.ts'
import { signHead } from './signed-head.ts'
import { walkAudit, writeAudit } from './store.ts'

const DAY_MS = 86_400_000
const folder = mkdtempSync(join(tmpdir(), 'verify-trail-'))
let database: Database
let chain: Awaited<ReturnType<typeof openChain>>
let server: Server
let jwksUrl: string

beforeAll(async () => {
  database = await openTestDatabase({ databaseUrl: null, dataDir: join(folder, 'data') })
  chain = await openChain(database)
  server = createServer(async (_request, response) =>
    response.end(JSON.stringify({ keys: await chain.keys.publicKeys() })),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const bare = { ...SAMPLE_EVENT, object: null, change: null, address: null, actorName: null, actorEmail: null }
  const odd = {
    ...SAMPLE_EVENT,
    actorName: 'Zoë "O’Neil" \u2028\t\\ 🦊',
    objectName: 'Leo Moß',
    change: { from: null, to: { a: [1].length } },
  }
  for (const [index, event] of [SAMPLE_EVENT, bare, odd, SAMPLE_EVENT, bare].entries())
    await writeAudit(database, { ...event, atMs: chain.time.nowMs - (index < 2 ? 500 : 1) * DAY_MS })
  await writeAudit(database, { ...SAMPLE_EVENT, tenantId: 'globex' })
  await chain.link()
})
afterAll(async () => {
  server.close()
  await database.close()
  rmSync(folder, { recursive: true })
})

async function exportTrail(): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  for await (const events of walkAudit(database, { tenantId: 'acme', filters: {} }))
    entries.push(...events.map(toEntry))
  return entries
}
const headNow = async () =>
  (await database.first<{ jws: string }>(`SELECT jws FROM audit_head WHERE tenant_id = 'acme'`))?.jws ?? ''

async function runScript(entries: readonly AuditEntry[], jws: string): Promise<string> {
  writeFileSync(join(folder, 'audit.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  writeFileSync(join(folder, 'head.json'), JSON.stringify({ type: 'audit.head', data: { tenantId: 'acme', jws } }))
  const script = ['docs/examples/verify-trail.mjs', join(folder, 'audit.jsonl'), join(folder, 'head.json'), jwksUrl]
  const run = promisify(execFile)(process.execPath, script)
  return run.then(
    ({ stdout }) => stdout.trim(),
    ({ stderr }) => stderr.trim(),
  )
}

test('a lender computes its whole chain again, whatever is in it', async () => {
  const entries = await exportTrail()
  await writeAudit(database, SAMPLE_EVENT)
  const unlinked = (await exportTrail()).length
  expect(unlinked).toBe(entries.length + 1)
  expect(await runScript(await exportTrail(), await headNow())).toMatch(
    /^whole: events 1 to 5, through the head of \d{4}-/,
  )
})

test('a head that an older key signed, and events that came since', async () => {
  const kept = await headNow()
  await chain.keys.rotate(database)
  chain.time.nowMs += DAY_MS
  await chain.link()
  expect(await runScript(await exportTrail(), kept)).toMatch(/^whole: events 1 to 6,/)
})

type Bend = [name: string, bend: (entries: AuditEntry[]) => AuditEntry[], problem: string]
test.each<Bend>([
  [
    'one changed',
    (all) => all.map((each) => (each.position === 3 ? { ...each, outcome: '403' } : each)),
    'event 3 was changed',
  ],
  [
    'one moved in time',
    (all) => all.map((each) => (each.position === 2 ? { ...each, createdAt: '2020-01-01T00:00:00.000Z' } : each)),
    'event 2 was changed',
  ],
  ['one taken out', (all) => all.filter(({ position }) => position !== 3), 'event 3 is missing'],
  [
    'the tail cut',
    (all) => all.filter(({ position }) => (position ?? 0) < 5),
    'the export ends at event 4, the head is event 6',
  ],
  ['another lender’s', (all) => all.slice(0, 0), 'the export has no events'],
])('%s: the script says so', async (_name, bend, problem) => {
  expect(await runScript(bend(await exportTrail()), await headNow())).toBe(`BROKEN: ${problem}`)
})

test('a head that is forged, or says something else', async () => {
  const entries = await exportTrail()
  const jws = await headNow()
  expect(await runScript(entries, `${jws.slice(0, -8)}AAAAAAAA`)).toBe('BROKEN: the head is not as it was signed')
  expect(await runScript(entries, 'none')).toBe('BROKEN: the head has no JWS')
  const other = { tenantId: 'acme', position: 4, hash: 'a'.repeat(64), deletedPosition: 0, deletedHash: '', at: '' }
  expect(await runScript(entries, await signHead(chain.keys, other))).toBe('BROKEN: event 4 is not the one of the head')
})

test('what was deleted after its time is no gap: the newest head says where the chain begins', async () => {
  const kept = await headNow()
  expect(await chain.forget(chain.time.nowMs - 400 * DAY_MS)).toBe(2)
  const entries = await exportTrail()
  expect(await runScript(entries, await headNow())).toMatch(/^whole: events 3 to 6,/)
  expect(await runScript(entries, kept)).toMatch(/^whole: events 3 to 6,/)
})
