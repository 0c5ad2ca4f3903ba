import { describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '../../contract/error.ts'
import { answers, code, fault, on, resending, runs, sending, verifying } from '../../testing/check-flow.ts'
import { advanceCheck } from './check-steps.ts'
import type { Flow, Screen } from './flow.ts'

describe('every error, before the code', () => {
  runs([
    ['401 ends the session', sending, fault({ status: 401 }), { name: 'trouble', why: 'session' }],
    [
      '402 is unavailable',
      sending,
      fault({ status: 402, code: 'insufficient-funds' }),
      { name: 'ended', why: 'unavailable' },
    ],
    [
      'the other 402 too',
      sending,
      fault({ status: 402, code: 'insufficient-credits' }),
      { name: 'ended', why: 'unavailable' },
    ],
    [
      'a spend cap too: when it ends is the lender’s business',
      sending,
      fault({ status: 429, code: 'spend-cap-reached', retryAfterMs: 5_000 }),
      { name: 'ended', why: 'unavailable' },
    ],
    ['403 reads the same', sending, fault({ status: 403 }), { name: 'ended', why: 'unavailable' }],
    ['404 too', sending, fault({ status: 404 }), { name: 'ended', why: 'unavailable' }],
    [
      '429 says when',
      sending,
      fault({ status: 429, retryAfterMs: 5_000 }),
      { name: 'trouble', why: 'busy', retryAtMs: 1_005_000 },
    ],
    ['429 without a time is a minute', sending, fault({ status: 429 }), { name: 'trouble', retryAtMs: 1_060_000 }],
    ['500 can be tried again', sending, fault({ status: 500 }), { name: 'trouble', why: 'broken' }],
    ['a time-out too', sending, fault({ code: 'timeout' }), { name: 'trouble', why: 'broken' }],
    ['garbage too', sending, fault({ code: 'garbled-answer' }), { name: 'trouble', why: 'broken' }],
    ['410 is expired', sending, fault({ status: 410 }), { name: 'expired' }],
    ['offline says so', sending, fault({ code: 'offline' }), { name: 'trouble', why: 'offline' }],
    [
      'a blocked fingerprint says so',
      sending,
      fault({ code: 'fingerprint-blocked' }),
      { name: 'trouble', why: 'device' },
    ],
    [
      '400 about nothing we asked can be tried again',
      sending,
      fault({ status: 400, message: 'body: is odd' }),
      { name: 'trouble', why: 'broken' },
    ],
    [
      '400 lands on the person’s inputs',
      sending,
      fault({ status: 400, message: 'lastName: is required; dateOfBirth: must be a real date' }),
      {
        name: 'details',
        fromAnswers: true,
        problems: [{ field: 'lastName' }, { field: 'dateOfBirth', focus: 'day' }],
      } as Partial<Screen>,
    ],
    [
      'one complaint is enough',
      sending,
      fault({ status: 400, message: 'lastName: is required' }),
      { name: 'details', problems: [{ field: 'lastName' }] } as Partial<Screen>,
    ],
    [
      'also about an address',
      sending,
      fault({ status: 400, message: 'addresses[0].ukAddress.postcode: must be a UK postcode' }),
      { name: 'address', index: 0, problems: [{ field: 'postcode' }] } as Partial<Screen>,
    ],
    [
      'of two addresses the newer comes first',
      sending,
      fault({
        status: 400,
        message: 'addresses[1].ukAddress.postcode: is odd; addresses[0].ukAddress.townOrCity: is odd',
      }),
      { name: 'address', index: 0, problems: [{ field: 'townOrCity' }] } as Partial<Screen>,
    ],
    [
      'a mobile number that is wrong is said to be',
      sending,
      fault({ status: 400, message: 'mobileNumber: must be a mobile number' }),
      { name: 'details', problems: [{ field: 'mobileNumber', words: 'notAccepted' }] } as Partial<Screen>,
    ],
    [
      '400 lands on the address it is about',
      sending,
      fault({
        status: 400,
        message: 'addresses[1].ukAddress.postcode: must be a UK postcode; addresses[1].ukAddress: needs at least one',
      }),
      {
        name: 'address',
        index: 1,
        problems: [{ field: 'postcode' }, { field: 'building', focus: 'buildingNumber' }],
      } as Partial<Screen>,
    ],
  ])
})

test('a mobile number that was left out is needed after all, and only that is said so', () => {
  const flow: Flow = { ...on(sending), answers: { ...answers, person: {} } }
  const message = 'lastName: is required; mobileNumber: must be a mobile number'
  expect(advanceCheck(flow, fault({ status: 400, message })).flow.screen).toMatchObject({
    problems: [
      { field: 'lastName', words: 'notAccepted' },
      { field: 'mobileNumber', words: 'mobileNumberNeeded' },
    ],
  })
})

describe('every error, at the code', () => {
  runs([
    [
      '410 asks whether it is over',
      verifying,
      fault({ status: 410 }, 'verify'),
      { notice: { words: 'codeOld' } },
      'sync',
    ],
    ['404 asks as well', verifying, fault({ status: 404 }, 'verify'), { name: 'code' }, 'sync'],
    [
      '410 to a new text asks too',
      resending,
      fault({ status: 410 }, 'resend'),
      { notice: { words: 'codeNotSent' } },
      'sync',
    ],
    ['401 comes back to the code', verifying, fault({ status: 401 }, 'verify'), { name: 'trouble', why: 'session' }],
    ['403 is unavailable', verifying, fault({ status: 403 }, 'verify'), { name: 'ended', why: 'unavailable' }],
    [
      'a lost answer asks how things stand',
      verifying,
      fault({ code: 'network' }, 'verify'),
      { name: 'code', busy: null, notice: { words: 'codeNotChecked' } },
      'sync',
    ],
    [
      'a line that is down says so',
      verifying,
      fault({ code: 'offline' }, 'verify'),
      { name: 'code', busy: null, notice: { words: 'codeOffline' } },
      'sync',
    ],
    [
      'a lost resend too',
      resending,
      fault({ status: 503 }, 'resend'),
      { name: 'code', notice: { words: 'codeNotSent' } },
      'sync',
    ],
    [
      '429 with a time waits for it',
      verifying,
      fault({ status: 429, retryAfterMs: 9_000 }, 'verify'),
      { name: 'code', notice: { words: 'waitUntil', timeMs: 1_009_000 } },
    ],
    [
      'and without one waits a minute',
      verifying,
      fault({ status: 429 }, 'verify'),
      { name: 'code', busy: null, notice: { words: 'waitUntil', timeMs: 1_060_000 } },
    ],
    [
      'a new text that may be asked for later is',
      resending,
      fault({ status: 429, retryAfterMs: 9_000 }, 'resend'),
      { name: 'code', busy: null, notice: { words: 'waitUntil', timeMs: 1_009_000 } },
    ],
    ['429 without one means no more texts', resending, fault({ status: 429 }, 'resend'), { name: 'code', busy: null }],
    [
      '402 on a resend leaves the code usable',
      resending,
      fault({ status: 402 }, 'resend'),
      { name: 'code', busy: null },
    ],
    ['a background question that failed changes nothing', code, fault({ code: 'network' }, 'sync'), code],
    ['nor does one whose answer would end a form', code, fault({ status: 402 }, 'sync'), code],
  ])

  test.each([402, 429])('after %i no more texts are offered, which is said', (status) => {
    const { screen } = advanceCheck(on(resending), fault({ status }, 'resend')).flow
    expect(screen).toMatchObject({ challenge: { textsRemaining: 0 }, notice: { words: 'noTexts' } })
  })
})

describe('every error code of the contract', () => {
  const codes = Object.entries(ERROR_STATUS)

  test.each(codes)('%s leaves no consumer waiting', (name, status) => {
    const started = advanceCheck(on(sending), fault({ code: name, status })).flow.screen
    expect(started.name).not.toBe('sending')
    for (const [screen, during] of [
      [verifying, 'verify'],
      [resending, 'resend'],
    ] as const) {
      const { screen: after } = advanceCheck(on(screen), fault({ code: name, status }, during)).flow
      if (after.name === 'code') expect(after.busy).toBeNull()
    }
  })

  test.each([
    ['a newer code goes by its status', 429, { name: 'trouble', why: 'busy' }],
    ['a gateway’s own status is trouble at the lender’s end', 502, { name: 'trouble', why: 'broken' }],
    ['an unexpected status is too', 418, { name: 'trouble', why: 'broken' }],
  ])('%s', (_name, status, screen) => {
    expect(advanceCheck(on(sending), fault({ code: 'news', status })).flow.screen).toMatchObject(screen)
  })
})

test.each([[{ code: 'cookies-required', status: 403 }], [{ code: 'cookies-off', status: 0 }]])(
  'a browser without cookies hears so: %j',
  (what) => {
    const step = advanceCheck(on(sending), fault(what))
    expect(step.flow.screen).toMatchObject({ name: 'trouble', why: 'cookies' })
  },
)
