import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { liveRequest } from '../../testing/test-app.ts'
import { ApiError } from '../http/api-error.ts'
import { openConsumer, openReport, sealConsumer, sealReport } from './content.ts'

const keys = [randomBytes(32)] as const
const place = { tenantId: 'acme', creditReportId: 'report-1' }

test('what the bureaus will be asked about comes back, with the number and without the device', () => {
  const request = liveRequest()
  const sealed = sealConsumer(keys, place, { mobileNumber: '+447700900123', consumer: request })
  const { mobileNumber, consumer } = openConsumer(keys, place, sealed)
  expect(mobileNumber).toBe('+447700900123')
  expect(request).toMatchObject(consumer)
  expect(consumer).toMatchObject({ lastName: request.lastName, addresses: request.addresses })
  expect(JSON.stringify(consumer)).not.toContain(request.sessionId)
})

test('a report comes back as the JSON that was sealed', () => {
  const json = '{"bureaus":["equifax"]}'
  expect(openReport(keys, place, sealReport(keys, place, json))).toBe(json)
})

test('of what is no longer kept there is no report', () => {
  for (const open of [openReport, openConsumer]) expect(() => open(keys, place, null)).toThrow(ApiError)
})
