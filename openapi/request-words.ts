// The words of requests.
import { ADDRESS_TYPE_DEFAULT, AddressEntry, UkAddress } from '../contract/address.ts'
import { BUILDING_FIELDS } from '../contract/building.ts'
import { OtpSubmit, ResendSms } from '../contract/challenge.ts'
import { AGE_MIN_YEARS, DATE_OF_BIRTH_MIN } from '../contract/date-of-birth.ts'
import { ChallengeOptions, EMAIL_SHAPE, generateRequest } from '../contract/generate.ts'
import { TEST_MODE_CODE } from '../contract/limits.ts'
import { OpenReport } from '../contract/open-report.ts'
import { AREAS } from '../contract/postcode.ts'
import { sampleAddress, sampleRequest } from '../contract/samples.ts'
import { type Component, component, DATE, type Keywords } from './component.ts'
import type { DocumentRules } from './operation.ts'
import { CHALLENGE_ID } from './samples.ts'

const IP_ADDRESS: Keywords = { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }
const EMAIL: Keywords = { allOf: null, pattern: EMAIL_SHAPE.source }

/** Of the person whose report it is, in a request and in the start of a link. */
export const PERSON_WORDS = {
  title: ['The consumer’s title, for example Mr, Mrs, Ms.', 'Ms'],
  firstName: ['The consumer’s first name; not blank.', 'Sam'],
  middleName: ['Middle names, if any.', 'Alex'],
  lastName: ['The consumer’s last name; not blank.', 'Example'],
  gender: ['The consumer’s gender, for bureaus that ask for it.', 'F'],
  mobileNumber: [
    'The number the one-time code is sent to, in international format. Without it, a live request that needs a code is refused; a test request is not.',
    '+447700900123',
  ],
} as const

export function requestWords({ bureaus, birthYearMax }: DocumentRules): Component[] {
  return [
    component(
      'GenerateRequest',
      generateRequest({ bureaus }),
      'The request for a report. Text is trimmed and kept in NFC, `null` in an optional field counts as no field, and unknown fields are ignored.',
      {
        sessionId: [
          'The session id that the fingerprint script gave the page. Test mode takes any text.',
          sampleRequest.sessionId,
        ],
        bureaus: [
          'The credit bureaus to ask, in order of preference: the first wins where two disagree.',
          bureaus.slice(0, 2),
        ],
        ipAddress: [
          'The consumer’s own IP address, version 4 or 6, never that of your server.',
          '203.0.113.7',
          IP_ADDRESS,
        ],
        searchType: ['The kind of search the bureaus record: `pcp`, a personal contract purchase.', 'pcp'],
        ...PERSON_WORDS,
        dateOfBirth: [
          `The consumer’s date of birth, YYYY-MM-DD: a real date, not before ${DATE_OF_BIRTH_MIN} and at least ${AGE_MIN_YEARS} years ago.`,
          '1985-03-27',
          // No `format`: tools that know it would make dates of the future.
          { pattern: datePattern(Number(DATE_OF_BIRTH_MIN.slice(0, 4)), birthYearMax) },
        ],
        addresses: 'The consumer’s addresses: the current one first, then earlier ones.',
        email: [
          'The consumer’s e-mail. In test mode the text before the @ picks the synthetic data: `test001` to `test004`, anything else is the default.',
          'test002@example.com',
          EMAIL,
        ],
        externalReference: [
          'Your own reference. It comes back with the report, its events and its wallet lines.',
          'order-1042',
        ],
        test: ['`true` is test mode: no bureau, no text, no charge.', true],
        challengeOptions: 'The path that a test request takes; ignored outside test mode.',
      },
      { example: { ...sampleRequest, bureaus: bureaus.slice(0, 2) } },
    ),
    component(
      'AddressEntry',
      AddressEntry,
      'One address of the consumer.',
      {
        // No `default`: generators make a field with one required.
        type: [
          `The type of the address, for example \`current\` or \`previous\`; \`${ADDRESS_TYPE_DEFAULT}\` when absent.`,
          'current',
        ],
        ukAddress: 'The address itself.',
      },
      { example: sampleAddress },
    ),
    component(
      'UkAddress',
      UkAddress,
      'A UK address. At least one of the three building fields must say which building it is.',
      {
        subBuildingName: ['The flat or unit within a building.', 'Flat 2'],
        buildingName: ['The name of the building.', 'Orchard House'],
        buildingNumber: ['The number of the building in its street.', '10'],
        thoroughfare: ['The street.', 'Orchard Lane'],
        district: ['The district or locality within the town.', 'Netherby'],
        townOrCity: ['The post town; not blank.', 'Ambleford'],
        county: ['The county.', 'Westshire'],
        country: ['The country as a two-letter code of ISO 3166-1.', 'GB'],
        postcode: [
          'A whole UK postcode, in upper or lower case, with or without its space.',
          'SW1A 1AA',
          { pattern: postcodePattern() },
        ],
      },
      {
        example: sampleAddress.ukAddress,
        keywords: {
          anyOf: BUILDING_FIELDS.map((field) => ({
            required: [field],
            properties: { [field]: { type: 'string', pattern: '\\S' } },
          })),
        },
      },
    ),
    component('ChallengeOptions', ChallengeOptions, 'Test mode only: the course of the check.', {
      status: ['`challenge` asks for a code, `allow` completes at once, `block` refuses the person.', 'challenge'],
    }),
    component('OtpSubmit', OtpSubmit, 'The code that the consumer typed.', {
      challengeId: ['The challenge that generate answered with.', CHALLENGE_ID],
      code: [
        `The code from the text. Any text counts as an attempt; in test mode ${TEST_MODE_CODE} is right.`,
        TEST_MODE_CODE,
      ],
    }),
    component('OpenReport', OpenReport, 'The date of birth that a person gives to see a report again.', {
      dateOfBirth: ['Date of birth, YYYY-MM-DD.', '1985-03-27', DATE],
    }),
    component('ResendSms', ResendSms, 'The challenge that sends another text.', {
      challengeId: ['The challenge that generate answered with.', CHALLENGE_ID],
    }),
  ]
}

// Rules that the contract checks in code, as regular expressions: for readers of the document, and for tools that make
// requests from it.

/** The real days of these years. */
export function datePattern(yearMin: number, yearMax: number): string {
  const years = Array.from({ length: yearMax - yearMin + 1 }, (_, index) => yearMin + index)
  const leapYears = years.filter((year) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
  const days = [
    '02-(?:0[1-9]|1[0-9]|2[0-8])',
    '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)',
    '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])',
  ]
  return `^(?:(?:${byDecade(years)})-(?:${days.join('|')})|(?:${byDecade(leapYears)})-02-29)$`
}

/** `1904, 1908, 1912` → `190[48]|191[2]`. */
function byDecade(years: readonly number[]): string {
  const decades = new Map<number, string>()
  for (const year of years) {
    const decade = Math.floor(year / 10)
    decades.set(decade, `${decades.get(decade) ?? ''}${year % 10}`)
  }
  return [...decades].map(([decade, digits]) => `${decade}[${digits.replace('0123456789', '0-9')}]`).join('|')
}

/** A whole postcode of a real area, in either case, with or without its space. */
export function postcodePattern(): string {
  const secondLetters = new Map<string, string[]>()
  for (const area of AREAS.split('|')) {
    secondLetters.set(area.charAt(0), [...(secondLetters.get(area.charAt(0)) ?? []), area.slice(1)])
  }
  const areas = [...secondLetters].map(([first, seconds]) => {
    const letters = seconds.join('')
    const second = letters === '' ? '' : `[${eitherCase(letters)}]${seconds.includes('') ? '?' : ''}`
    return `[${eitherCase(first)}]${second}`
  })
  const inward = '[0-9][ABD-HJLNP-UW-Zabd-hjlnp-uw-z]{2}'
  return `^(?:(?:${areas.join('|')})[0-9][0-9A-Za-z]?|[Gg][Ii][Rr]) ?${inward}$`
}

function eitherCase(letters: string): string {
  return letters + letters.toLowerCase()
}
