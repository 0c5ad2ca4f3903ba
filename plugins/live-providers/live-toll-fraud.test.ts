// No one earns from our texts: what is refused costs nothing, asks no bureau and sends nothing.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeIn, createLiveApp, type LiveApp } from '../../testing/live-app.ts'
import { isClean, reconcile } from '../statement/reconcile.ts'

const MINUTE_MS = 60_000

let app: LiveApp
beforeEach(async () => {
  app = await createLiveApp()
})
afterEach(async () => {
  const books = await reconcile(app.database)
  await app.close()
  expect(isClean(books)).toBe(true)
})

const refusal = { code: 'rate-limited', message: 'no text can be sent for this check at the moment; try again later' }

test('a sixth text to one number in ten minutes is refused before a bureau is asked, and nothing is charged', async () => {
  const toVictim = () => ({ ...app.stranger(), mobileNumber: '+447700900123' })
  for (let text = 0; text < 5; text += 1) expect((await app.generate(toVictim())).status).toBe(200)
  const [before, asked] = [await app.books(), app.gateway.calls('equifax')]
  const { status, body, headers } = await app.generate(toVictim())
  expect({ status, body }).toEqual({ status: 429, body: refusal })
  expect(headers.get('Retry-After')).toBe('600')
  expect(await app.books()).toEqual(before)
  expect(app.gateway.calls('equifax')).toBe(asked)
  app.time.nowMs += 10 * MINUTE_MS
  expect((await app.generate(toVictim())).status).toBe(200)
})

test.each(['+447012345678', '+449012345678', '+18765550123', '+442079460000'])(
  'no text ever goes to %s, so no one waits for one',
  async (mobileNumber) => {
    const [before, asked] = [await app.books(), app.gateway.calls('equifax')]
    const { status, body, headers } = await app.generate({ ...app.stranger(), mobileNumber })
    const message = 'mobileNumber: must be a mobile number that our texts can reach'
    expect({ status, body }).toEqual({ status: 400, body: { code: 'validation-error', message } })
    expect(headers.get('Retry-After')).toBeNull()
    expect(await app.books()).toEqual(before)
    expect(app.gateway.calls('equifax')).toBe(asked)
  },
)

test('a person who needs no text is not asked about their number', async () => {
  const { body } = await app.generate({ ...app.stranger('Allow'), mobileNumber: '+18765550123' })
  expect(body.data.status).toBe('complete')
})

test('a resend over the limit is refused, and the challenge lives on', async () => {
  const toVictim = () => ({ ...app.stranger(), mobileNumber: '+447700900123' })
  const { body } = await app.generate(toVictim())
  const code = codeIn(app.gateway.texts[0] ?? { body: '' })
  for (let text = 0; text < 4; text += 1) await app.generate(toVictim())
  const refused = await app.resend(body.data)
  expect({ status: refused.status, body: refused.body }).toEqual({ status: 429, body: refusal })
  expect(app.gateway.texts).toHaveLength(5)
  expect((await app.submit(body.data, code)).body.data.status).toBe('complete')
})

test('a resend is measured as its first text was, also when that one is no longer on record', async () => {
  const { started } = await app.challenged()
  const read = () => app.database.all('SELECT * FROM text_claim')
  const [first] = await read()
  await app.database.run('DELETE FROM text_claim')
  expect((await app.resend(started)).status).toBe(200)
  expect(await read()).toEqual([{ ...first, send_number: 2 }])
})

test('resends count towards the number', async () => {
  const toVictim = () => ({ ...app.stranger(), mobileNumber: '+447700900123' })
  const { body } = await app.generate(toVictim())
  for (let send = 0; send < 2; send += 1) expect((await app.resend(body.data)).status).toBe(200)
  for (let text = 0; text < 2; text += 1) expect((await app.generate(toVictim())).status).toBe(200)
  expect((await app.generate(toVictim())).status).toBe(429)
})

test('twenty asks at once for one number send five texts', async () => {
  const asks = Array.from({ length: 20 }, () => app.generate({ ...app.stranger(), mobileNumber: '+447700900123' }))
  const statuses = (await Promise.all(asks)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(app.gateway.texts).toHaveLength(5)
})
