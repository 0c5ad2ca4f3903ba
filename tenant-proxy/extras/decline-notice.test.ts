import { expect, test } from 'vitest'
import { BUREAUS } from '../../contract/credit-report.ts'
import { declineNotice } from './decline-notice.ts'

test.each(['en-GB', 'cy'])(
  'in %s it names each agency that was asked, with all that the law demands of it',
  (locale) => {
    const agencies = [
      { id: 'equifax', status: 'answered' },
      { id: 'experian', status: 'unavailable' },
      { id: 'transunion', status: 'not-asked' },
    ]
    const notice = declineNotice({ locale, agencies })
    expect(notice.locale).toBe(locale)
    expect(notice.agencies.map(({ id }) => id)).toEqual(['equifax', 'experian'])
    for (const { name, address, telephone, website } of notice.agencies) {
      for (const part of [name, address, telephone, website]) expect(notice.text).toContain(part)
    }
    expect(notice.text).not.toContain('TransUnion')
    for (const step of notice.steps) expect(notice.text).toContain(step)
    for (const who of ['financial-ombudsman.org.uk', 'ico.org.uk', '28 ']) expect(notice.text).toContain(who)
  },
)

test.each([
  ['en-GB', 'answered', 'We decided this partly on information from'],
  ['en-GB', 'no-file', 'We decided this partly on information from'],
  ['en-GB', 'unavailable', 'none of them gave us any'],
  ['cy', 'unavailable', 'ni roddodd yr un ohonynt'],
])('in %s it does not say more of agencies that are %s', (locale, status, words) => {
  const agencies = [
    { id: 'equifax', status },
    { id: 'experian', status: 'unavailable' },
  ]
  const { lead, text } = declineNotice({ locale, agencies })
  expect(lead).toContain(words)
  expect(text).toContain(lead)
})

test('both languages say as much', () => {
  const [english, welsh] = ['en-GB', 'cy-GB'].map((locale) => declineNotice({ locale, agencies: BUREAUS }))
  expect(welsh?.steps).toHaveLength(english?.steps.length ?? 0)
  expect(welsh?.text).not.toContain('agency')
})

test('the words about a computer are left out where a person decided', () => {
  const said = (how: { automated?: boolean }) =>
    declineNotice({ agencies: ['equifax'], ...how }).text.includes('a computer')
  expect([said({}), said({ automated: true }), said({ automated: false })]).toEqual([true, true, false])
})

test('an agency without a known address is a mistake, unless you give one', () => {
  const acme = { name: 'Acme', address: '1 Street', telephone: '01', website: 'acme.example' }
  for (const id of ['acme', 'constructor']) {
    expect(() => declineNotice({ agencies: [id] })).toThrow(/agency "\w+" is unknown/)
  }
  expect(declineNotice({ agencies: ['acme', 'acme'], contacts: { acme } }).agencies).toEqual([{ id: 'acme', ...acme }])
  expect(() => declineNotice({ agencies: [{ id: 'equifax', status: 'not-asked' }] })).toThrow(/at least one/)
})
