import { describe, expect, test } from 'vitest'
import { AddressEntry } from '../../contract/address.ts'
import { residenciesOf } from './merge-residencies.ts'

const flat = {
  subBuildingName: 'Flat 2',
  buildingName: 'Rose House',
  buildingNumber: '12',
  thoroughfare: 'High Street',
  district: 'Headingley',
  townOrCity: 'Leeds',
  county: 'West Yorkshire',
  country: 'GB',
  postcode: 'ls61aa',
}
const cottage = { buildingName: 'Ivy Cottage', townOrCity: 'Settle', postcode: 'BD24 9AA' }

const entry = (ukAddress: object, type?: string) => AddressEntry.parse({ ...(type ? { type } : {}), ukAddress })

test('a full address reads as an envelope would', () => {
  const [residency] = residenciesOf([entry(flat)], [27])
  expect(residency).toEqual({
    addressId: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: {
      type: 'uk',
      ukAddress: { ...flat, postcode: 'LS6 1AA' },
      addressLine1: 'Flat 2, Rose House, 12 High Street, Headingley, Leeds, West Yorkshire, LS6 1AA',
      lines: ['Flat 2', 'Rose House', '12 High Street', 'Headingley', 'Leeds', 'West Yorkshire', 'LS6 1AA'],
    },
    yearsAtAddress: 2,
    monthsAtAddress: 3,
    isCurrent: true,
  })
})

test('what is empty is left out', () => {
  const [residency] = residenciesOf([entry({ ...cottage, district: ' ' })])
  expect(residency?.address.lines).toEqual(['Ivy Cottage', 'Settle', 'BD24 9AA'])
  expect(residency?.address.ukAddress).toEqual(cottage)
})

test('an unknown time is no time', () => {
  expect(residenciesOf([entry(cottage)])).toMatchObject([{ yearsAtAddress: 0, monthsAtAddress: 0 }])
})

describe('which is current', () => {
  const current = (...entries: AddressEntry[]) =>
    residenciesOf(entries).map(({ isCurrent, address }) => `${isCurrent ? 'now' : 'before'} ${address.lines[0]}`)

  test('the one that says so, and it comes first', () => {
    expect(current(entry(flat, 'previous'), entry(cottage, 'Current'))).toEqual(['now Ivy Cottage', 'before Flat 2'])
  })

  test('the first when none does', () => {
    expect(current(entry(flat, 'previous'), entry(cottage, 'other'))).toEqual(['now Flat 2', 'before Ivy Cottage'])
  })

  test('the first when several do', () => {
    expect(current(entry(flat, 'current'), entry(cottage, 'current'))).toEqual(['now Flat 2', 'before Ivy Cottage'])
  })

  test('the same address twice is one, and current', () => {
    expect(current(entry(flat, 'previous'), entry(flat, 'current'))).toEqual(['now Flat 2'])
    expect(current(entry(flat, 'current'), entry(flat, 'previous'))).toEqual(['now Flat 2'])
  })
})

test('the same door has the same id, however it is written', () => {
  const ids = [flat, { ...flat, thoroughfare: 'HIGH STREET', postcode: 'LS6 1AA' }, { ...flat, county: undefined }].map(
    (address) => residenciesOf([entry(address)])[0]?.addressId,
  )
  expect(new Set(ids).size).toBe(1)
  expect(residenciesOf([entry({ ...flat, subBuildingName: 'Flat 3' })])[0]?.addressId).not.toBe(ids[0])
})
