// Reports, people, the audit trail and webhooks at an operator's hands.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DATABASE_FILE } from '../../service/store/sqlite.ts'
import { operateTestService } from '../../testing/admin.ts'
import { liveRequest, testRequest } from '../../testing/test-app.ts'

const { app, folder, type } = operateTestService()

let lender = ''
beforeEach(async () => {
  lender = await app().newTenant(100_000)
})
/** A millisecond after the one before, so that which is newer is certain. */
async function generate(request: object): Promise<string> {
  app().time.nowMs += 1
  return (await app().generate(request, { token: lender })).body.data.creditReportId
}
const POSTCODE = liveRequest().addresses[0]?.ukAddress.postcode ?? ''
const DATE_OF_BIRTH = liveRequest().dateOfBirth
const person = (...more: string[]) => [
  lender,
  '--last-name',
  'Allow',
  '--date-of-birth',
  String(DATE_OF_BIRTH),
  '--postcode',
  POSTCODE,
  ...more,
]

describe('report find', () => {
  afterEach(() => vi.useRealTimers())
  const find = async (...words: string[]) => {
    const { exitCode, printed } = await type(['report', 'find', lender, ...words, '--json'])
    return { exitCode, found: printed.map((line) => JSON.parse(line)) }
  }

  test('lists a lender’s newest, of both modes, with why each ended', async () => {
    expect(await find()).toEqual({ exitCode: 1, found: [] })
    const ids = [
      await generate(liveRequest('Allow')),
      await generate(testRequest('block')),
      await generate(liveRequest()),
    ]
    // A command goes by the machine's clock.
    vi.useFakeTimers({ toFake: ['Date'], now: app().time.nowMs })
    const { exitCode, found } = await find()
    expect(exitCode).toBe(0)
    expect(found.map(({ creditReportId, mode, status }) => [creditReportId, mode, status])).toEqual([
      [ids[2], 'live', 'authentication-required'],
      [ids[1], 'test', 'blocked'],
      [ids[0], 'live', 'complete'],
    ])
    expect(found[1].reason).toEqual(expect.any(String))
    expect(found[0].reason).toBeNull()
    expect((await find('--limit', '1')).found).toHaveLength(1)
    expect(await find('--reference', 'none')).toEqual({ exitCode: 1, found: [] })
    expect((await find('--reference', ids[0] ?? '')).found).toMatchObject([{ creditReportId: ids[0] }])
  })
})

describe('a person', () => {
  test('is found in every page of reports, newest first, and of one lender alone', async () => {
    const ids: string[] = []
    for (let made = 0; made < 51; made += 1) ids.push(await generate(liveRequest('Allow')))
    const { exitCode, printed } = await type(['person', 'find', ...person()])
    expect(exitCode).toBe(0)
    expect(printed).toEqual(['creditReportId', ...ids.toReversed()])
    const other = await app().newTenant(0)
    expect((await type(['person', 'find', ...person().with(0, other)])).exitCode).toBe(1)
  })

  test('is erased for good: nothing of it is left in the files', async () => {
    const id = await generate(liveRequest('Allow'))
    const row = await app().database.first('SELECT content FROM sealed_report WHERE report_id = ?', id)
    const needle = Buffer.from(row?.content as Uint8Array).subarray(0, 64)
    const has = (file: string) => readFileSync(join(folder, file)).includes(needle)
    const files = [DATABASE_FILE, `${DATABASE_FILE}-wal`]
    expect(files.some(has)).toBe(true)
    expect(await type(['person', 'erase', ...person()])).toMatchObject({ exitCode: 0, printed: [`erased ${id}`] })
    expect(files.some(has)).toBe(false)
    expect(await type(['person', 'erase', ...person()])).toMatchObject({ exitCode: 1, printed: ['nothing to erase'] })
  })

  test.each<[string, string[], string]>([
    ['no postcode', ['--last-name', 'A', '--date-of-birth', '1971-02-03'], '--postcode is required'],
    [
      'one postcode of two that is none',
      ['--last-name', 'A', '--date-of-birth', '1971-02-03', '--postcode', 'SW1A 1AA,nowhere'],
      '--postcode must be a UK postcode',
    ],
    ['nothing', [], '--last-name is required; --date-of-birth is required; --postcode is required'],
  ])('%s is a wrong command line', async (_what, options, complaint) => {
    for (const command of ['find', 'erase']) {
      const { exitCode, complaints } = await type(['person', command, lender, ...options])
      expect({ exitCode, complaint: complaints[0] }).toEqual({ exitCode: 2, complaint })
    }
  })
})

describe('erase', () => {
  test('several at once, and says which are gone already', async () => {
    const [one, two] = [await generate(testRequest('allow')), await generate(testRequest('allow'))]
    expect(await type(['erase', one, two])).toMatchObject({ exitCode: 0, printed: [`erased ${one}`, `erased ${two}`] })
    expect(await type(['erase', one, two, 'none'])).toMatchObject({
      exitCode: 1,
      printed: [`nothing to erase: ${one}`, `nothing to erase: ${two}`, 'nothing to erase: none'],
    })
  })
})

describe('audit', () => {
  test('is a table, newest first, of every lender or of one', async () => {
    await type(['tenant', 'price', lender, '--text', '7'])
    await type(['backed-up'])
    const { exitCode, printed } = await type(['audit'])
    expect(exitCode).toBe(0)
    expect(printed[0]).toMatch(/^at +tenantId +actorKind +actorId +action +object +address +outcome$/)
    expect(printed[1]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z +- +operator +\S+ +admin backed-up +- +- +done$/)
    const own = (await type(['audit', '--tenant', lender])).printed
    expect(own).toEqual([expect.stringMatching(/^at +tenantId/), expect.stringContaining('admin tenant price')])
    expect((await type(['audit', '--tenant', 'none'])).printed).toHaveLength(1)
  })

  test('shows a hundred lines by default', async () => {
    const { database } = app()
    for (let lines = 0; lines < 101; lines += 1)
      await database.run(
        `INSERT INTO audit_event (created_at_ms, actor_kind, action, outcome) VALUES (?, 'unknown', 'test', '200')`,
        lines,
      )
    expect((await type(['audit', '--json'])).printed).toHaveLength(100)
    expect((await type(['audit', '--json', '--limit', '101'])).printed).toHaveLength(101)
  })
})

describe('webhooks', () => {
  const webhook = (...words: string[]) => type(['webhook', ...words])
  const add = async (path = 'webhook') =>
    (await webhook('add', lender, `https://shop.example/${path}`)).printed[0]?.split(/ +/)[1] ?? ''

  test('a lender has ten at most', async () => {
    for (let added = 0; added < 10; added += 1) expect(await add(`${added}`)).toMatch(/^we-\w+$/)
    expect(await webhook('add', lender, 'https://shop.example/webhook')).toMatchObject({
      exitCode: 2,
      printed: [],
      complaints: ['URL cannot be added: there are 10 already', expect.stringContaining('usage: ')],
    })
  })

  test('what was given up is listed by itself, and sent again with all that failed', async () => {
    await add()
    await generate(liveRequest('Block'))
    await generate(liveRequest('Block'))
    const { database } = app()
    const newest = 'SELECT MAX(id) FROM webhook_delivery WHERE tenant_id = ?'
    await database.run(
      `UPDATE webhook_delivery SET status = 'parked', attempts = 9, last_outcome = '500' WHERE id = (${newest})`,
      lender,
    )
    const list = async (...words: string[]) =>
      (await webhook('list', lender, ...words, '--json')).printed.slice(1).map((line) => JSON.parse(line))
    expect((await list()).map(({ status }) => status)).toEqual(['parked', 'queued'])
    const [parked, ...others] = await list('--parked')
    expect(others).toEqual([])
    expect(parked).toEqual({
      createdAt: new Date(app().time.nowMs).toISOString(),
      status: 'parked',
      attempts: 9,
      type: 'credit-report.blocked',
      id: expect.any(String),
      lastOutcome: '500',
    })
    expect(await webhook('resend-failed', lender)).toMatchObject({ exitCode: 0, printed: ['events  1'] })
    expect(await webhook('resend-failed', lender)).toMatchObject({ exitCode: 0, printed: ['events  0'] })
    expect((await webhook('resend', lender, parked.id)).printed.join()).toMatch(/status +queued/)
    expect(await webhook('resend', lender, 'none')).toMatchObject({ exitCode: 1, printed: [] })
  })

  test('fifty events are listed', async () => {
    const id = await add()
    const { database } = app()
    for (let events = 0; events < 51; events += 1)
      await database.run(
        `INSERT INTO webhook_delivery (id, endpoint_id, tenant_id, type, payload, status, attempts, due_at_ms, queued_at_ms, created_at_ms)
         VALUES (?, ?, ?, 'test', '{}', 'queued', 0, 1, 1, 1)`,
        `${id}-${events}`,
        id,
        lender,
      )
    expect((await webhook('list', lender, '--json')).printed).toHaveLength(51)
  })
})
