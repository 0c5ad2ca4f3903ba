// An operator's commands about one lender, and their refusals.
import { expect, test } from 'vitest'
import { operateTestService } from '../../testing/admin.ts'

const { app, type } = operateTestService()
const admin = (...words: string[]) => type(words)

async function tenant(column: string): Promise<unknown> {
  return (await app().database.first(`SELECT ${column} FROM tenant WHERE id = 'demo-lender'`))?.[column]
}

test('a client is revoked once; one that is not there is named', async () => {
  await admin('client', 'create', 'demo-lender', '--id', 'shop', '--name', 'Shop')
  expect(await admin('client', 'revoke', 'demo-lender', 'shop')).toMatchObject({
    exitCode: 0,
    printed: ['client id  shop'],
  })
  for (const id of ['shop', 'none'])
    expect(await admin('client', 'revoke', 'demo-lender', id)).toMatchObject({
      exitCode: 1,
      complaints: [`there is no client "${id}", or it was revoked`],
    })
})

test.each([
  ['three letters', 'abc', 0],
  ['digits', '007', 0],
  ['forty', `a${'-'.repeat(38)}z`, 0],
  ['two', 'ab', 2],
  ['forty-one', 'a'.repeat(41), 2],
  ['a hyphen first', '-ab', 2],
  ['a hyphen last', 'ab-', 2],
  ['a capital', 'Abc', 2],
  ['a space', 'a b', 2],
])('a lender’s id: %s', async (_what, id, exitCode) => {
  expect((await admin('tenant', 'create', '--name', 'x', '--', id)).exitCode).toBe(exitCode)
})

test('a lender is shown with what is its own, and else with what the installation gives', async () => {
  const show = async (id: string) => JSON.parse((await admin('tenant', 'show', id, '--json')).printed.join())
  await admin('tenant', 'create', 'plain', '--name', 'Plain', '--report-price', 'default')
  expect(await show('plain')).toEqual({
    id: 'plain',
    name: 'Plain',
    balanceCredits: 0,
    heldCredits: 0,
    reportPriceCredits: 500,
    textPriceCredits: 40,
    checkoutHost: null,
    smsSender: null,
    requireAllBureaus: true,
    requestsPerMinute: 600,
    lowBalanceCredits: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    suspendedAt: null,
    suspendedReason: null,
  })
  const prices = ['--report-price', '0', '--text-price', '7']
  await admin('tenant', 'create', 'own', '--name', 'Own', ...prices, '--checkout-host', 'shop.example')
  await admin('tenant', 'bureaus', 'own', 'any')
  await admin('tenant', 'sender', 'own', 'OwnLender')
  await admin('tenant', 'low-balance', 'own', '1')
  await admin('tenant', 'suspend', 'own', '--reason', 'unpaid')
  await admin('caps', 'own', '--requests-per-minute', '5')
  await admin('top-up', 'own', '1', '--reference', 'x')
  expect(await show('own')).toEqual({
    id: 'own',
    name: 'Own',
    balanceCredits: 1,
    heldCredits: 0,
    reportPriceCredits: 0,
    textPriceCredits: 7,
    checkoutHost: 'shop.example',
    smsSender: 'OwnLender',
    requireAllBureaus: false,
    requestsPerMinute: 5,
    lowBalanceCredits: 1,
    createdAt: expect.any(String),
    suspendedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    suspendedReason: 'unpaid',
  })
  const listed = (await admin('tenant', 'list', '--json')).printed.map((line) => JSON.parse(line).id)
  expect(listed).toEqual(listed.toSorted())
  expect(listed).toEqual(expect.arrayContaining(['demo-lender', 'own', 'plain']))
})

test('each change of a lender leaves one line in the audit trail, with what it was before', async () => {
  const table: [line: string, change: object | null][] = [
    ['tenant bureaus LENDER any', { from: { require_all_bureaus: 1 }, to: { require_all_bureaus: 0 } }],
    ['tenant sender LENDER Harbour', { from: { sms_sender: null }, to: { sms_sender: 'Harbour' } }],
    ['tenant sender LENDER default', { from: { sms_sender: 'Harbour' }, to: { sms_sender: null } }],
    ['tenant rename LENDER --name New', { from: { name: 'Audited' }, to: { name: 'New' } }],
    [
      'tenant price LENDER --report 700 --text 0',
      {
        from: { report_price_credits: null, text_price_credits: null },
        to: { report_price_credits: 700, text_price_credits: 0 },
      },
    ],
    ['tenant price LENDER --text default', { from: { text_price_credits: 0 }, to: { text_price_credits: null } }],
    ['tenant price LENDER', null],
    ['tenant retention LENDER 7', { from: { report_retention_days: null }, to: { report_retention_days: 7 } }],
    [
      'tenant suspend LENDER --reason unpaid',
      {
        from: { suspended_at_ms: null, suspended_reason: null },
        to: { suspended_at_ms: expect.any(Number), suspended_reason: 'unpaid' },
      },
    ],
    [
      'tenant resume LENDER',
      {
        from: { suspended_at_ms: expect.any(Number), suspended_reason: 'unpaid' },
        to: { suspended_at_ms: null, suspended_reason: null },
      },
    ],
    ['caps LENDER --report-hour 800', { from: { 'report-hour': 100_000 }, to: { 'report-hour': 800 } }],
    [
      'caps LENDER --report-hour none --report-day 900',
      { from: { 'report-hour': 800, 'report-day': 500_000 }, to: { 'report-hour': null, 'report-day': 900 } },
    ],
    [
      'caps LENDER --requests-per-minute 5',
      { from: { 'requests-per-minute': null }, to: { 'requests-per-minute': 5 } },
    ],
    [
      'caps LENDER --requests-per-minute default',
      { from: { 'requests-per-minute': 5 }, to: { 'requests-per-minute': null } },
    ],
    ['caps LENDER', null],
    ['top-up LENDER 5 --reference a', { from: null, to: { credits: 5 } }],
    ['top-up LENDER 5 --reference a', null],
    ['correct LENDER -4 --reason mistake', { from: null, to: { credits: -4, reason: 'mistake' } }],
  ]
  await admin('tenant', 'create', 'audited', '--name', 'Audited')
  const trail = async () =>
    (await admin('audit', '--tenant', 'audited', '--json')).printed.map((event) => JSON.parse(event).change)
  for (const [line, change] of table) {
    const before = await trail()
    const say = async () => (await type(line.replace('LENDER', 'audited').split(' '))).exitCode
    expect([await say(), line]).toEqual([0, line])
    const after = await trail()
    expect({ line, trail: after }).toEqual({ line, trail: change === null ? before : [change, ...before] })
    // Said again it changes nothing, and leaves no line. A correction without a reference is another one.
    if (!line.startsWith('correct')) {
      await say()
      expect({ line, trail: await trail() }).toEqual({ line, trail: after })
    }
  }
})

test.each([
  ['tenant rename demo-lender --name none --checkout-host https://shop.example', '--checkout-host must be a host name'],
  ['tenant price demo-lender --report 5 --text much', '--text must be a number'],
  ['tenant bureaus demo-lender', 'BUREAUS is missing'],
  ['tenant bureaus demo-lender some', 'BUREAUS must be one of "all", "any"'],
  ['tenant sender demo-lender Verify', 'SENDER cannot be "Verify": UK networks block generic names'],
  ['tenant sender demo-lender +447700900123', 'it is not one of the gateway’s numbers'],
  ['tenant suspend demo-lender', '--reason is required'],
  ['tenant retention demo-lender 0', 'DAYS must be at least 1'],
  ['tenant retention demo-lender 31', 'DAYS must be at most 30'],
  ['tenant low-balance demo-lender -1', 'THRESHOLD_CREDITS must be at least 1'],
  ['caps demo-lender --report-hour 3', '--report-hour must be none, 0 or at least the price of one'],
  ['tenant show', 'the tenant’s id is missing'],
  ['client rename demo-lender demo-lender', '--name is required'],
  ['client end-secret demo-lender demo-lender', 'SECRET_ID is missing'],
  ['top-up demo-lender 0', 'CREDITS must be at least 1'],
  ['top-up demo-lender 1.5', 'CREDITS must be a number'],
  ['top-up demo-lender 5 --reference=', '--reference must not be empty'],
  ['correct demo-lender 5', '--reason is required'],
  ['correct demo-lender -0 --reason x', 'CREDITS must not be 0'],
  ['backup', 'the file to write is missing'],
  ['restore', 'the file to restore is missing'],
])('"%s" is a wrong command line', async (line, complaint) => {
  const before = await app().database.first(`SELECT * FROM tenant WHERE id = 'demo-lender'`)
  const { exitCode, printed, complaints } = await type(line.split(' '))
  expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: [] })
  expect(complaints[0]).toContain(complaint)
  expect(await app().database.first(`SELECT * FROM tenant WHERE id = 'demo-lender'`)).toEqual(before)
})

test('requests per minute are set, and set back', async () => {
  const set = (given: string) => admin('caps', 'demo-lender', '--requests-per-minute', given)
  expect((await set('90')).exitCode).toBe(0)
  expect(await tenant('rate_limit_per_minute')).toBe(90)
  for (const given of ['0', '1.5', '1000000000', 'many'])
    expect((await set(given)).complaints[0]).toMatch(/^--requests-per-minute must be /)
  expect(await tenant('rate_limit_per_minute')).toBe(90)
  expect((await set('999999999')).exitCode).toBe(0)
  expect((await set('default')).exitCode).toBe(0)
  expect(await tenant('rate_limit_per_minute')).toBeNull()
})

test.each([
  'client end-secret demo-lender demo-lender none',
  'client revoke demo-lender demo-lender',
  'correct demo-lender 5 --reason x',
  'erase none',
  'keys rotate --now',
  'person erase demo-lender --last-name Allow --date-of-birth 1971-02-03 --postcode LS1',
  'user remove none@example.com',
  'webhook remove demo-lender none',
])('"%s" cannot be taken back, and is asked for a second time', async (line) => {
  expect(await type(line.split(' '), async () => 'y')).toMatchObject({
    exitCode: 1,
    printed: [],
    complaints: ['not confirmed: nothing was changed'],
  })
})
