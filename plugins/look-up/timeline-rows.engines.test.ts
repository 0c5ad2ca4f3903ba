// Timelines of checks that are written row by row, so that every step has a time of its own, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ReportTimeline } from '../../contract/report-timeline.ts'
import { newId } from '../../kit/new-id.ts'
import { deriveKeys } from '../../service/keys.ts'
import { capture, chargeMatch, hold, release } from '../../service/ledger/ledger.ts'
import type { SqlValue } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { createTestApp, type TestApp, testRequest } from '../../testing/test-app.ts'
import { type AuditEvent, writeAudit } from '../audit/store.ts'
import { addEndpoint } from '../webhooks/endpoints.ts'
import { readTimeline } from './timeline.ts'

onEachEngine('the timeline of rows', (place) => {
  let app: TestApp
  let tenantId: string
  beforeAll(async () => {
    app = await createTestApp(await place())
    tenantId = await app.newTenant(10_000)
  })
  afterAll(() => app.close())

  type Columns = { [column: string]: SqlValue }
  const insert = async (table: string, row: Columns) => {
    const marks = Object.keys(row).map(() => '?')
    const sql = `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${marks.join(', ')})`
    await app.database.run(sql, ...Object.values(row))
  }
  const insertCheck = async (columns: Columns) => {
    const id = newId(app.time.nowMs)
    const common = {
      id,
      tenant_id: tenantId,
      test: 0,
      created_at_ms: 1_000,
      short_reference: 'SHORTREF',
      history: '{}',
    }
    await insert('credit_report', { ...common, ...columns })
    return id
  }
  const insertText = (checkId: string, number: number, status: string) =>
    insert('text_message', {
      id: `${checkId}-${number}`,
      report_id: checkId,
      tenant_id: tenantId,
      send_number: number,
      status,
      lease_until_ms: 0,
      created_at_ms: 0,
    })
  const challenged = { challenge_id: 'c', sends: 1, sent_1_at_ms: 2_000 }
  const read = async (creditReportId: string) => {
    const path = `/${tenantId}/v1/credit-reports/${creditReportId}/timeline`
    return ReportTimeline.parse((await app.call(path, undefined, { token: tenantId })).body.data)
  }
  const at = (ms: number) => new Date(ms).toISOString()

  const shop = { actorKind: 'client', actorId: 'shop', actorName: null } as const
  const uma = { actorKind: 'person', actorId: 'u1', actorName: 'Uma One' } as const
  const unnamed = { actorKind: 'person', actorId: 'u2', actorName: null } as const
  const operator = { actorKind: 'operator', actorId: null, actorName: null } as const
  type Actor = Pick<AuditEvent, 'actorKind' | 'actorId' | 'actorName'>
  const note = (object: string, action: string, actor: Actor, atMs: number, outcome = 'done') =>
    writeAudit(app.database, {
      ...actor,
      atMs,
      tenantId,
      actorEmail: null,
      action,
      object,
      change: null,
      address: null,
      outcome,
    })

  const agencies = JSON.stringify([
    { id: 'equifax', status: 'answered' },
    { id: 'experian', status: 'unavailable' },
    { id: 'transunion', status: 'no-file' },
    { id: 'newcomer', status: 'not-asked' },
  ])

  async function insertWholeCheck(): Promise<string> {
    const id = await insertCheck({
      ...challenged,
      status: 'complete',
      sends: 3,
      sent_2_at_ms: 4_000,
      sent_3_at_ms: 6_000,
      completed_send: 1,
      ended_at_ms: 9_000,
      ending: 'complete',
      agencies,
      number_match: 'matched',
      request_id: 'request-1',
      history: JSON.stringify({
        asked: ['equifax', 'experian', 'transunion', 'newcomer'],
        deviceVerified: true,
        riskMs: 12,
        verifiedAtMs: 8_000,
        unansweredAtMs: [8_500],
        agencyMs: { equifax: 700, experian: 900, transunion: 5 },
      }),
    })
    await insert('sealed_report', { report_id: id, wrapped_key: new Uint8Array(), content: new Uint8Array() })
    for (const [index, status] of ['delivered', 'undelivered', 'accepted'].entries())
      await insertText(id, index + 1, status)
    const check = { tenantId, creditReportId: id }
    const text = (number: number) => ({ purpose: 'text' as const, subjectId: `${id}-${number}` })
    await app.database.transaction(async (queries) => {
      await hold(queries, { ...check, purpose: 'report', subjectId: id, credits: 500, nowMs: 1_000 })
      await chargeMatch(queries, { ...check, credits: 50, nowMs: 1_500 })
      for (const number of [1, 2, 3])
        await hold(queries, { ...check, ...text(number), credits: 40, nowMs: 2_000 * number })
      await capture(queries, text(1), 5_000)
      await release(queries, text(2), 7_000)
      await capture(queries, { purpose: 'report', subjectId: id }, 9_000)
    })
    return id
  }

  test('receipts, tries of webhooks and readers are listed in the order of their own times', async () => {
    const creditReportId = await insertWholeCheck()
    const { webhooks } = deriveKeys(app.config.secretKeys)
    const url = 'https://lender.example/hook'
    const endpoint = await addEndpoint(app.database, webhooks, { tenantId, url, nowMs: 1 })
    const deliveries: [status: string, attempts: number, dueAtMs: number, outcome: string | null][] = [
      // The first pause is 5 seconds, the ninth 6 hours: a try that was the last is so much older than when another
      // would be due.
      ['delivered', 1, 15_000, 'delivered'],
      ['parked', 9, 21_612_000, 'status 500'],
      ['queued', 2, 60_000, 'time-out'],
    ]
    for (const [index, [status, attempts, dueAtMs, outcome]] of deliveries.entries())
      await insert('webhook_delivery', {
        id: `${creditReportId}-${index}`,
        endpoint_id: endpoint?.id ?? '',
        tenant_id: tenantId,
        report_id: creditReportId,
        type: 'credit-report.completed',
        payload: '{}',
        status,
        attempts,
        due_at_ms: dueAtMs,
        queued_at_ms: 9_000,
        last_outcome: outcome,
        created_at_ms: 9_000,
      })
    await note(creditReportId, 'report.generate', shop, 8_999)
    await note(creditReportId, 'report.code', shop, 9_000)
    await note(creditReportId, 'report.read', shop, 20_000, '200')
    await note(creditReportId, 'report.read', shop, 18_000, '200')
    await note(creditReportId, 'report.read', shop, 25_000, '503')
    await note(creditReportId, 'report.open', uma, 21_000)
    await note(creditReportId, 'person.export', unnamed, 22_000)
    await note(creditReportId, 'report.read', operator, 23_000)
    await note(creditReportId, 'report.look', shop, 24_000)

    const timeline = await read(creditReportId)
    expect(timeline.requestId).toBe('request-1')
    const hook = `Webhook credit-report.completed to ${url}:`
    expect(timeline.events).toEqual([
      { type: 'created', at: at(1_000), says: 'Check requested from Equifax, Experian, TransUnion and newcomer.' },
      { type: 'device', outcome: 'verified', says: 'The device was verified.' },
      { type: 'risk', outcome: 'challenge', says: 'Risk assessment, answered in 12 ms: a code is needed.' },
      { type: 'match', outcome: 'matched', says: 'The phone number is known for this person.' },
      { type: 'text', at: at(2_000), outcome: 'sent', says: 'Text 1 was sent.' },
      { type: 'text', at: at(4_000), outcome: 'sent', says: 'Text 2 was sent.' },
      { type: 'text', at: at(5_000), outcome: 'delivered', says: 'Text 1 was delivered.' },
      {
        type: 'text',
        at: at(6_000),
        outcome: 'accepted',
        says: 'Text 3 was handed to the network; there is no receipt yet.',
      },
      { type: 'text', at: at(7_000), outcome: 'undelivered', says: 'Text 2 was not delivered.' },
      { type: 'code', at: at(8_000), outcome: 'right', says: 'The code was right.' },
      {
        type: 'agency',
        at: at(8_500),
        outcome: 'unavailable',
        says: 'The agencies gave no report; the same code could be sent again.',
      },
      { type: 'agency', outcome: 'answered', who: 'equifax', says: 'Equifax answered, in 700 ms.' },
      { type: 'agency', outcome: 'unavailable', who: 'experian', says: 'Experian did not answer.' },
      {
        type: 'agency',
        outcome: 'no-file',
        who: 'transunion',
        says: 'TransUnion answered that it has no file on this person, in 5 ms.',
      },
      { type: 'agency', outcome: 'not-asked', who: 'newcomer', says: 'newcomer was not queried.' },
      { type: 'complete', at: at(9_000), says: 'The report was completed.' },
      {
        type: 'webhook',
        at: at(9_000),
        nextAt: at(60_000),
        outcome: 'queued',
        who: url,
        says: `${hook} not delivered yet after 2 tries, last answer: time-out.`,
      },
      { type: 'given', at: at(9_000), who: 'API client shop', says: 'Report given to API client shop.' },
      { type: 'webhook', at: at(10_000), outcome: 'delivered', who: url, says: `${hook} delivered after 1 try.` },
      {
        type: 'webhook',
        at: at(12_000),
        outcome: 'parked',
        who: url,
        says: `${hook} given up after 9 tries, last answer: status 500.`,
      },
      {
        type: 'given',
        at: at(20_000),
        who: 'API client shop',
        says: 'Report read by API client shop, 2 times so far.',
      },
      { type: 'given', at: at(21_000), who: 'Uma One', says: 'Report opened in the console by Uma One.' },
      { type: 'given', at: at(22_000), who: 'person u2', says: 'Report exported by person u2.' },
      { type: 'given', at: at(23_000), who: 'the operator', says: 'Report read by the operator.' },
    ])
  })

  test('that a report is no longer kept comes last, whenever it was given', async () => {
    const creditReportId = await insertWholeCheck()
    await app.database.run('DELETE FROM sealed_report WHERE report_id = ?', creditReportId)
    await note(creditReportId, 'report.code', shop, 9_000)
    await note(creditReportId, 'report.read', uma, 21_000, '200')
    const { events } = await read(creditReportId)
    expect(events.slice(-3).map(({ type, at }) => [type, at])).toEqual([
      ['given', at(9_000)],
      ['given', at(21_000)],
      ['closed', undefined],
    ])
  })

  test('the ledger of the check comes with it, newest first', async () => {
    const creditReportId = await insertWholeCheck()
    const timeline = async () => []
    const options = { database: app.database, clock: () => app.time.nowMs, config: app.config, timeline }
    const { lines } = await readTimeline(options, { tenantId, creditReportId })
    expect(lines.map(({ kind, purpose, createdAtMs }) => [kind, purpose, createdAtMs])).toEqual([
      ['capture', 'report', 9_000],
      ['release', 'text', 7_000],
      ['capture', 'text', 5_000],
      ['hold', 'text', 6_000],
      ['hold', 'text', 4_000],
      ['hold', 'text', 2_000],
      ['capture', 'match', 1_500],
      ['hold', 'match', 1_500],
      ['hold', 'report', 1_000],
    ])
  })

  const lasting = { lease_until_ms: Date.UTC(2030, 0, 1) }
  test.each<[name: string, columns: Columns, says: string[], why: RegExp]>([
    [
      'complete without a history',
      {
        status: 'complete',
        agencies: JSON.stringify([{ id: 'equifax', status: 'answered' }]),
        ended_at_ms: 5_000,
        ending: 'complete',
      },
      [
        'Check requested from Equifax.',
        'Risk assessment: no code is needed.',
        'Equifax answered.',
        'The report was completed.',
        'The report is no longer kept.',
      ],
      /^Your credit check is complete/,
    ],
    [
      'failed before anything was decided',
      { status: 'failed', ending: 'provider', ended_at_ms: 5_000 },
      ['Check requested.', 'Failed: a provider did not answer.'],
      /^A service we depend on did not answer/,
    ],
    [
      'blocked at once, on an unknown device',
      {
        status: 'blocked',
        ended_at_ms: 5_000,
        ending: 'risk',
        history: JSON.stringify({ asked: ['experian'], deviceVerified: false, riskMs: 0 }),
      },
      [
        'Check requested from Experian.',
        'The device could not be verified, so no code can complete this check.',
        'Risk assessment, answered in 0 ms: the check must not go on.',
        'Blocked by the risk assessment.',
      ],
      /and your credit file was not searched\.$/,
    ],
    [
      'in progress',
      { ...lasting, status: 'pending', history: JSON.stringify({ asked: ['equifax', 'experian'] }) },
      ['Check requested from Equifax and Experian.'],
      /^Your credit check is in progress\. It takes a few seconds\.$/,
    ],
    [
      'the code is in, the agencies are being asked',
      { ...challenged, ...lasting, status: 'challenged', completed_send: 1, number_match: 'unknown' },
      [
        'Check requested.',
        'The device was verified.',
        'Risk assessment: a code is needed.',
        'It is not known if the phone number belongs to this person.',
        'Text 1 waits to be sent.',
        'The code was right.',
      ],
      /^Your credit check is in progress/,
    ],
    [
      'over, on a device that could not be verified, before the sweeper came',
      { ...challenged, status: 'challenged', device_verified: 0, number_match: 'not-matched', agencies },
      [
        'Check requested from Equifax, Experian, TransUnion and newcomer.',
        'The device could not be verified, so no code can complete this check.',
        'Risk assessment: a code is needed.',
        'The phone number is not known for this person.',
        'Text 1 waits to be sent.',
        'Expired: no right code came in time.',
      ],
      /^The code was not entered in time/,
    ],
  ])('%s', async (_name, columns, says, why) => {
    const timeline = await read(await insertCheck(columns))
    expect(timeline.events.map((event) => event.says)).toEqual(says)
    expect(timeline.why).toMatch(why)
    expect(timeline).not.toHaveProperty('requestId')
  })

  test('what expired a moment ago ended a lifetime after its text', async () => {
    const { events } = await read(await insertCheck({ ...challenged, status: 'challenged' }))
    expect(events.at(-1)).toEqual({
      type: 'expired',
      at: at(302_000),
      outcome: 'timeout',
      says: 'Expired: no right code came in time.',
    })
  })

  test('a check without a report was given to no one', async () => {
    const creditReportId = await insertCheck({ status: 'failed', ending: 'funds', ended_at_ms: 5_000 })
    await note(creditReportId, 'report.read', shop, 6_000, '200')
    const { events } = await read(creditReportId)
    expect(events.map(({ type }) => type)).toEqual(['created', 'failed'])
  })

  test('an erasure says who erased it, where that was written down', async () => {
    const row = { status: 'complete', ended_at_ms: 5_000, ending: 'complete', erased_at_ms: 7_000 }
    const creditReportId = await insertCheck(row)
    await note(creditReportId, 'report.read', shop, 6_000)
    await note(creditReportId, 'report.erase', shop, 6_500, '503')
    const last = async () => (await read(creditReportId)).events.at(-1)
    expect(await last()).toEqual({ type: 'erased', at: at(7_000), says: 'Erased.' })
    await note(creditReportId, 'person.erase', operator, 7_000)
    await note(creditReportId, 'report.read', shop, 6_100)
    expect(await last()).toEqual({
      type: 'erased',
      at: at(7_000),
      who: 'the operator',
      says: 'Erased by the operator.',
    })
  })

  test.each<[name: string, statuses: string[], ending: string, why: string]>([
    ['no text arrived', ['undelivered', 'undelivered'], 'timeout', 'could not be delivered to your phone'],
    ['one text arrived', ['undelivered', 'delivered'], 'timeout', 'The code was not entered in time'],
    ['the code was right all the same', ['undelivered'], 'agencies', 'Your code was right'],
  ])('%s: why it expired', async (_name, statuses, ending, why) => {
    const id = await insertCheck({ ...challenged, status: 'expired', ended_at_ms: 302_000, ending })
    for (const [index, status] of statuses.entries()) await insertText(id, index + 1, status)
    expect((await read(id)).why).toContain(why)
  })

  test('a test check that waits or expired says that it was a test', async () => {
    const { creditReportId } = (await app.generate(testRequest('challenge'), { token: tenantId })).body.data
    expect((await read(creditReportId)).why).toBe(
      'This was a test. We are waiting for the code that we sent to your phone.',
    )
    app.time.nowMs += 300_001
    expect((await read(creditReportId)).why).toBe(
      'This was a test. The code was not entered in time, so the check has ended. Your credit file was not searched. You can start again.',
    )
  })
})
