import { expect, test } from 'vitest'
import { sampleRequest } from '../../../contract/samples.ts'
import { playedMatch, triggerOf } from '../../../contract/test-triggers.ts'
import { sampleText as text } from '../../../testing/provider-call.ts'
import { createSimulatedBureau, createSimulatedMatch, createSimulatedPhone, createSimulatedRisk } from './simulated.ts'
import { simulateBureau } from './synthetic.ts'

const never = new AbortController().signal
const asked = { creditReportId: 'report-1', tenantId: 'demo-lender' }

test.each([
  ['Allow', 'allow'],
  ['Block', 'block'],
  ['Example', 'challenge'],
  ['allow', 'challenge'],
  ['constructor', 'challenge'],
])('risk decides about a person called %s: %s', async (lastName, decision) => {
  const consumer = { ...sampleRequest, lastName }
  expect(await createSimulatedRisk().assess({ ...asked, consumer, device: null }, never)).toBe(decision)
})

test.each([
  ['Match', 'matched', 'matched'],
  ['Mismatch', 'not-matched', 'not-matched'],
  ['Nomatch', 'unknown', 'unknown'],
  ['Example', 'matched', null],
])('the number of a person called %s is %s, in test mode %s', async (lastName, result, inTestMode) => {
  const question = { ...asked, consumer: { ...sampleRequest, lastName }, mobileNumber: text.to }
  expect(await createSimulatedMatch().match(question, never)).toBe(result)
  expect(playedMatch(triggerOf({ lastName }))).toBe(inTestMode)
})

test('a bureau says that it is simulated, and the e-mail address chooses its scenario', async () => {
  const bureau = createSimulatedBureau()
  expect(bureau.simulated).toBe(true)
  for (const [email, scenario] of [
    ['test002@example.com', 'test002'],
    ['sam@example.com', 'default'],
  ] as const) {
    const consumer = { ...sampleRequest, email }
    expect(await bureau.query('equifax', consumer, 'report-1', never)).toEqual(
      simulateBureau('equifax', consumer, scenario),
    )
  }
})

test('the phone takes a message once, shows the newest first and keeps two hundred', async () => {
  let nowMs = 5
  const phone = createSimulatedPhone(() => nowMs)
  expect(await phone.send({ ...text, messageId: '1' }, never)).toBe('delivered')
  nowMs = 6
  expect(await phone.send({ ...text, messageId: '1', body: 'again' }, never)).toBe('delivered')
  expect(phone.texts()).toEqual([{ ...text, messageId: '1', sentAtMs: 5 }])
  for (let count = 2; count <= 200; count += 1) await phone.send({ ...text, messageId: String(count) }, never)
  const ids = () => phone.texts().map(({ messageId }) => messageId)
  expect(ids()).toEqual(Array.from({ length: 200 }, (_, index) => String(200 - index)))
  await phone.send({ ...text, messageId: '201' }, never)
  expect([ids().length, ids()[0], ids().at(-1)]).toEqual([200, '201', '2'])
})
