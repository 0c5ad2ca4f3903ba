// What an operator says of one lender, and what is refused.
import { expect, test } from 'vitest'
import { operateTestService } from '../../testing/admin.ts'

const { app, type } = operateTestService()
const admin = (...words: string[]) => type(words)

async function tenant(column: string): Promise<unknown> {
  return (await app().database.first(`SELECT ${column} FROM tenant WHERE id = 'demo-lender'`))?.[column]
}

test('a client is revoked once; one that is not there is named', async () => {
  await admin('client', 'create', 'demo-lender', '--id', 'shop')
  expect(await admin('client', 'revoke', 'shop')).toMatchObject({ exitCode: 0, printed: ['client shop revoked'] })
  for (const id of ['shop', 'none'])
    expect(await admin('client', 'revoke', id)).toMatchObject({
      exitCode: 1,
      complaints: [`there is no client "${id}", or it is revoked`],
    })
})

test('reports are kept for as many days as is said, up to the installation’s', async () => {
  const kept = (days: string) => admin('tenant', 'retention', 'demo-lender', days)
  expect(await kept('7')).toMatchObject({ exitCode: 0, printed: ['reports of demo-lender are kept for 7 days'] })
  expect(await tenant('report_retention_days')).toBe(7)
  for (const days of ['0', '1.5', '31', 'week']) expect((await kept(days)).exitCode).toBe(2)
  expect(await tenant('report_retention_days')).toBe(7)
  expect(await kept('30')).toMatchObject({ exitCode: 0 })
  expect(await kept('default')).toMatchObject({ printed: ['reports of demo-lender are kept for 30 days'] })
  expect(await tenant('report_retention_days')).toBeNull()
})

test('requests per minute are set, and set back', async () => {
  const set = (given: string) => admin('caps', 'demo-lender', '--requests-per-minute', given)
  expect((await set('90')).exitCode).toBe(0)
  expect(await tenant('rate_limit_per_minute')).toBe(90)
  expect((await set('0')).exitCode).toBe(2)
  expect((await set('default')).exitCode).toBe(0)
  expect(await tenant('rate_limit_per_minute')).toBeNull()
})

test.each([
  'client end-secret demo-lender demo-lender none',
  'client revoke demo-lender',
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
