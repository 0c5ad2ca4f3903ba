// The people who fill in the form of a journey. Everyone here is invented; the numbers are from the range kept for
// films.
import type { Prefill, PrefillAddress } from '../widget/fields/answers.ts'

const addresses: readonly PrefillAddress[] = [
  {
    buildingNumber: '10',
    thoroughfare: 'Orchard Lane',
    townOrCity: 'Ambleford',
    postcode: 'SW1A 1AA',
    movedIn: '2019-05',
  },
  {
    subBuildingName: 'Flat 3',
    buildingName: 'Mill House',
    thoroughfare: 'Weir Street',
    townOrCity: 'Ambleford',
    postcode: 'B1 1AA',
    movedIn: '2015-09',
  },
  { buildingName: 'Rose Cottage', townOrCity: 'Little Fernham', postcode: 'CF10 1AA', movedIn: '2008-01' },
]

export const PEOPLE = {
  sam: {
    title: 'Sam Example',
    details: {
      firstName: 'Sam',
      lastName: 'Example',
      dateOfBirth: '1985-03-27',
      mobileNumber: '07700 900123',
      email: 'sam@example.com',
    },
  },
  long: {
    title: 'A very long name',
    details: {
      title: 'Dr',
      firstName: 'Maximiliana-Seraphina',
      middleName: 'Guinevere Philippa Rosalind',
      lastName: 'Featherstonehaugh-Cholmondeley-Warner',
      dateOfBirth: '1972-11-09',
      mobileNumber: '+44 7700 900 456',
      email: 'maximiliana.featherstonehaugh-cholmondeley-warner@correspondence.example.com',
    },
  },
  accents: {
    title: 'Accents and apostrophes',
    details: {
      firstName: 'Siân',
      lastName: 'O’Brien-Łukasz',
      dateOfBirth: '1999-02-28',
      mobileNumber: '07700900789',
      email: 'sian@example.com',
    },
  },
} as const satisfies { [name: string]: { title: string; details: Prefill } }

export type PersonName = keyof typeof PEOPLE

export const ADDRESSES_MAX = addresses.length

/** A shop's details of a person with this many addresses. */
export function describePerson(name: PersonName, addressCount: number, lastName?: string): Prefill {
  return {
    ...PEOPLE[name].details,
    ...(lastName !== undefined && { lastName }),
    addresses: addresses.slice(0, addressCount),
  }
}
