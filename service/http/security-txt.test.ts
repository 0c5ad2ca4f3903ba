import { expect, test } from 'vitest'
import { securityTxtRoute } from './security-txt.ts'

const nowMs = Date.UTC(2026, 10, 15)
const ask = (contact: string | null) =>
  securityTxtRoute({ contact, publicUrl: 'https://reports.example', clock: () => nowMs }).request(
    '/.well-known/security.txt',
  )

test('security.txt names whom to write to, and is good for half a year from now on', async () => {
  const response = await ask('mailto:security@reports.example')
  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
  expect((await response.text()).split('\n')).toEqual([
    'Contact: mailto:security@reports.example',
    'Expires: 2027-05-14T00:00:00.000Z',
    'Preferred-Languages: en',
    'Canonical: https://reports.example/.well-known/security.txt',
    '',
  ])
})

test('without SECURITY_CONTACT there is none', async () => {
  expect((await ask(null)).status).toBe(404)
})
