import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sampleReport } from '../../contract/samples.ts'
import { seal } from '../../kit/seal.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import { ApiError } from '../http/api-error.ts'
import { deriveKeys } from '../keys.ts'
import {
  createMobileNumberReader,
  openConsumer,
  openReport,
  sealConsumer,
  sealReport,
  WrongContent,
} from './content.ts'

const keys = [randomBytes(32)] as const
const place = { tenantId: 'acme', creditReportId: 'report-1', test: false }
const row = { tenantId: 'acme', rowId: 'report-1' }
const mobileNumber = '+447700900123'
const request = liveRequest()
const { ipAddress, sessionId } = request
const challenged = { mobileNumber, ipAddress, sessionId, consumer: request }
const reportJson = JSON.stringify(sampleReport)

test('what the bureaus will be asked about comes back, with the number and its origin', () => {
  const sealed = sealConsumer(keys, place, challenged)
  const opened = openConsumer(keys, place, sealed)
  expect(opened).toMatchObject({ mobileNumber, ipAddress, sessionId })
  expect(request).toMatchObject(opened.consumer)
  expect(opened.consumer).toMatchObject({ lastName: request.lastName, addresses: request.addresses })
  expect(JSON.stringify(opened.consumer)).not.toContain(request.sessionId)
})

test('a report comes back as the JSON that was sealed', () => {
  expect(openReport(keys, place, sealReport(keys, place, reportJson))).toBe(reportJson)
})

test('of what is no longer kept there is no report', () => {
  for (const open of [openReport, openConsumer]) expect(() => open(keys, place, null)).toThrow(ApiError)
})

const tag = { kind: 'report', format: 1, tenantId: 'acme', test: false }
const tagged = (changes: object) => `${JSON.stringify({ ...tag, ...changes })}\n${reportJson}`

test.each([
  ['a consumer', sealConsumer(keys, place, challenged)],
  ['what no version wrote', seal(keys, row, 'nothing like it')],
  ['an empty object', seal(keys, row, '\n{}')],
  ['another lender’s report', seal(keys, row, tagged({ tenantId: 'other' }))],
  ['a test report', seal(keys, row, tagged({ test: true }))],
  ['another kind', seal(keys, row, tagged({ kind: 'letter' }))],
  ['a tag without a format', seal(keys, row, tagged({ format: 'first' }))],
])('%s is not taken for a report', (_name, sealed) => {
  expect(() => openReport(keys, place, sealed)).toThrow(WrongContent)
})

test.each([
  ['a report', sealReport(keys, place, reportJson)],
  ['a consumer of test mode', sealConsumer(keys, { ...place, test: true }, challenged)],
])('%s is not taken for a consumer', (_name, sealed) => {
  expect(() => openConsumer(keys, place, sealed)).toThrow(WrongContent)
})

test('what a newer version sealed is for its processes to read', () => {
  const newer = seal(keys, row, tagged({ format: 2 }))
  for (const open of [openReport, openConsumer]) {
    expect(() => open(keys, place, newer)).toThrow(expect.objectContaining({ code: 'unavailable' }))
  }
})

test('the number of an open challenge is read while it is kept; what cannot be read at all is a fault', async () => {
  const app = await createTestApp()
  try {
    const start = async (lastName?: string) => (await app.generate(liveRequest(lastName))).body.data.creditReportId
    const { reports } = deriveKeys(app.config.secretKeys)
    const read = (creditReportId: string, keyList: typeof reports = reports) =>
      createMobileNumberReader(app.database, keyList)({ tenantId: 'demo-lender', creditReportId })
    const open = await start()
    expect(await read(open)).toBe(liveRequest().mobileNumber)
    expect(await read(await start('Allow'))).toBeNull()
    expect(await read('nothing')).toBeNull()
    await expect(read(open, keys)).rejects.toThrow('sealed under another SECRET_KEY')
  } finally {
    await app.close()
  }
})
