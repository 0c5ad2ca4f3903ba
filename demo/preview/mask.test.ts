import { expect, test } from 'vitest'
import { sampleReport, sampleRequest } from '../../contract/samples.ts'
import { ADDRESS_FIELDS } from '../../widget/fields/address.ts'
import { PERSON_FIELDS } from '../../widget/fields/person.ts'
import { layOut, maskBody } from './mask.ts'

test('nothing personal of a request is left', () => {
  const masked = maskBody(JSON.stringify(sampleRequest))
  for (const personal of ['Sam', 'Example', '1985', '7700', 'test002', 'Orchard', 'SW1A', '203.0.113.7'])
    expect(masked).not.toContain(personal)
  expect(masked).toContain('"bureaus":["equifax","experian"]')
})

test('nothing personal of a report is left, and what is not personal stays', () => {
  const masked = maskBody(JSON.stringify({ data: { creditReport: sampleReport } }))
  for (const personal of ['Sam', 'Example', '1985', 'Orchard', '4821']) expect(masked).not.toContain(personal)
  expect(masked).toContain('Harbour Motor Finance')
  expect(masked).toContain('24950')
})

test('nothing the form asks for is left', () => {
  const asked = [PERSON_FIELDS, ADDRESS_FIELDS].flatMap((table) =>
    Object.values(table).flatMap(({ wire }) => Object.keys(wire)),
  )
  expect(asked.length).toBeGreaterThan(10)
  const body = JSON.stringify(Object.fromEntries(asked.map((name) => [name, 'Samuel'])))
  expect(maskBody(body)).not.toContain('Samuel')
})

const rows: [name: string, body: string, expected: string][] = [
  ['a security code is hidden', '{"code":"123456"}', '{"code":"••••••"}'],
  ['an error’s code is not', '{"code":"rate-limited"}', '{"code":"rate-limited"}'],
  ['the shape of a value stays visible', '{"postcode":"SW1A 1AA"}', '{"postcode":"•••• •••"}'],
  ['a form is left alone', 'grant_type=client_credentials', 'grant_type=client_credentials'],
  ['an empty body stays empty', '', ''],
]

test.each(rows)('%s', (_name, body, expected) => {
  expect(maskBody(body)).toBe(expected)
})

test('a JSON body is laid out, another is not touched', () => {
  expect(layOut('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(layOut('<html>')).toBe('<html>')
})
