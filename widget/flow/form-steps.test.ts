import { describe, expect, test } from 'vitest'
import type { Draft } from '../../contract/tenant-proxy.ts'
import { address, details, follow, home, sam, today } from '../../testing/form-flow.ts'
import type { Prefill } from '../fields/answers.ts'
import type { Typed } from '../fields/typed.ts'
import { openChallenge } from './challenge.ts'
import { type Flow, type FormEvent, type Screen, startFlow } from './flow.ts'
import { advanceForm } from './form-steps.ts'

const back = (typed: Typed = {}): FormEvent => ({ type: 'back', typed })
const answered = [details, address('2015')]

describe('through the form', () => {
  const rows: [string, FormEvent[], Partial<Screen>][] = [
    ['begins with the details', [], { name: 'details' }],
    ['good details lead to the address', [details], { name: 'address', index: 0 }],
    ['enough history leads to the answers', [details, address('2015')], { name: 'answers' }],
    ['too little asks for the address before', [details, address('2025')], { name: 'address', index: 1 }],
    [
      'until there is enough',
      [details, address('2025'), address('2024', '2'), address('2010', '3')],
      { name: 'answers' },
    ],
    [
      'or they moved away and back home',
      [details, address('2025'), address('2024', '2'), address('2010')],
      { name: 'answers' },
    ],
    ['or the person came from abroad', [details, address('2025'), { type: 'abroad' }], { name: 'answers' }],
    [
      'living abroad is not offered before the first address',
      [details, { type: 'abroad' }],
      { name: 'address', index: 0 },
    ],
    ['back from the address to the details', [details, back()], { name: 'details' }],
    ['back from the second address to the first', [details, address('2025'), back()], { name: 'address', index: 0 }],
    ['back from the answers to the last address', [...answered, back()], { name: 'address', index: 0 }],
    ['changing the details returns to the answers', [...answered, { type: 'change' }, details], { name: 'answers' }],
    ['changing an address too', [...answered, { type: 'change', address: 0 }, address('2016')], { name: 'answers' }],
    ['going back from a change as well', [...answered, { type: 'change' }, back()], { name: 'answers' }],
    [
      'a change that shortens the history asks for more',
      [...answered, { type: 'change', address: 0 }, address('2025')],
      { name: 'address', index: 1 },
    ],
    [
      'removing an address asks again for what is missing',
      [details, address('2025'), address('2010', '2'), { type: 'remove', address: 1, today }],
      { name: 'address', index: 1 },
    ],
    [
      'which can be undone',
      [details, address('2025'), address('2010', '2'), { type: 'remove', address: 1, today }, { type: 'undo' }],
      { name: 'answers' },
    ],
    [
      'but not after something else was done',
      [details, address('2025'), address('2010', '2'), { type: 'remove', address: 1, today }, back(), { type: 'undo' }],
      { name: 'address', index: 0 },
    ],
    [
      'an address left half typed is asked for again',
      [details, address('2025'), back({ townOrCity: 'Hull' }), address('2025')],
      { name: 'address', index: 1 },
    ],
    [
      'unless it is no longer needed',
      [details, address('2025'), back({ townOrCity: 'Hull' }), address('2015')],
      { name: 'answers' },
    ],
    [
      'nor one that lacks a single line',
      [details, address('2025'), back({ ...home('2024', '2'), postcode: '' }), address('2025')],
      { name: 'address', index: 1 },
    ],
    [
      'a birth after the move asks for that address again',
      [
        { type: 'prefill', prefill: { addresses: [{}, { ...home('', '2'), movedIn: '1999-01' }] } },
        details,
        address('2001'),
        { type: 'change' },
        { type: 'details', typed: { ...sam, year: '2003' }, today },
        { type: 'remove', address: 1, today },
      ],
      { name: 'address', index: 0 },
    ],
    [
      'eighteen today is old enough',
      [{ type: 'details', typed: { ...sam, day: '15', month: '11', year: '2008' }, today }],
      { name: 'address' },
    ],
    [
      'eighteen tomorrow is not',
      [{ type: 'details', typed: { ...sam, day: '16', month: '11', year: '2008' }, today }],
      { name: 'ended', why: 'underAge' },
    ],
    ['the first address cannot be removed', [...answered, { type: 'remove', address: 0, today }], { name: 'answers' }],
    ['agreeing sends', [...answered, { type: 'submit', agreed: true, shown: 'words' }], { name: 'sending' }],
    ['nothing is sent from another screen', [{ type: 'submit', agreed: true, shown: 'words' }], { name: 'details' }],
    ['resetting begins again', [...answered, { type: 'reset' }], { name: 'details' }],
  ]
  test.each(rows)('%s', (_name, events, screen) => expect(follow(...events).screen).toMatchObject(screen))

  test('agreeing asks for a report, may be sent again, and keeps what was shown', () => {
    const step = advanceForm(follow(...answered), { type: 'submit', agreed: true, shown: 'words' })
    expect([step?.ask, step?.flow.hasAgreed, step?.flow.shown]).toEqual(['generate', true, 'words'])
  })

  test('without the tick the consent is asked for, and nothing is sent', () => {
    const step = advanceForm(follow(...answered), { type: 'submit', agreed: false, shown: 'words' })
    expect(step?.flow.screen).toMatchObject({ name: 'answers', problems: [{ field: 'consent' }] })
    expect(step?.ask).toBeUndefined()
  })

  test('someone under 18 reads so, and their answers are kept', () => {
    const flow = follow({ type: 'details', typed: { ...sam, year: '2010' }, today })
    expect(flow.screen).toEqual({ name: 'ended', why: 'underAge' })
    expect(flow.answers.person).toMatchObject({ firstName: 'Sam', year: '2010' })
    expect(advanceForm(flow, { type: 'change' })?.flow.screen).toEqual({ name: 'details', problems: [] })
  })
})

describe('an event that makes no sense on its screen changes nothing', () => {
  const ended: Screen = { name: 'ended', why: 'blocked', creditReportId: 'r1' }
  test.each<[string, Flow, FormEvent]>([
    ['details where an address is asked for', follow(details), { ...details, typed: { ...sam, firstName: 'Ada' } }],
    ['an address where the details are asked for', follow(), address('2015')],
    ['coming from abroad where the details are', follow(), { type: 'abroad' }],
    ['a change before there are answers', follow(details), { type: 'change' }],
    ['a change after the end', { ...follow(...answered), screen: ended }, { type: 'change' }],
    ['removing on another screen', follow(details, address('2025')), { type: 'remove', address: 0, today }],
    ['undoing where nothing was removed', follow(...answered), { type: 'undo' }],
    ['leaving where there is no report', follow(...answered), { type: 'leave' }],
    ['back after the end', { ...follow(...answered), screen: ended }, back()],
  ])('%s', (_what, flow, event) => expect(advanceForm(flow, event)).toEqual({ flow }))
})

describe('nothing typed is lost', () => {
  test('bad answers stay where they were typed', () => {
    const flow = follow({ type: 'details', typed: { ...sam, year: '85' }, today })
    expect(flow.screen).toMatchObject({ name: 'details', problems: [{ words: 'dateOfBirthShortYear' }] })
    expect(flow.answers.person.year).toBe('85')
  })

  test('an address with a single mistake too', () => {
    const typed = { ...home('2015'), postcode: 'LS1' }
    const flow = follow(details, { type: 'address', typed, today })
    expect(flow.screen).toMatchObject({ name: 'address', index: 0, problems: [{ field: 'postcode' }] })
    expect(flow.answers.addresses).toEqual([typed])
  })

  test('details that were begun survive going back', () => {
    const flow = follow(back({ firstName: 'Sam' }))
    expect([flow.screen.name, flow.answers.person]).toEqual(['details', { firstName: 'Sam' }])
  })

  test('going back from the answers asks again whether they came from abroad', () => {
    expect(follow(details, address('2025'), { type: 'abroad' }, back()).answers.abroadBefore).toBe(false)
  })

  test('going back from another number leads to the code, if the server still knows it', () => {
    const challenge = openChallenge(
      'r1',
      { challengeId: 'c1', expiresInSeconds: 300, attemptsRemaining: 3, textsRemaining: 2 },
      { monotonicMs: 0, wallMs: 0 },
      true,
    )
    const flow: Flow = { ...follow(...answered), screen: { name: 'mobile', challenge, problems: [] } }
    const step = advanceForm(flow, back())
    expect(step?.flow.screen).toEqual({ name: 'code', challenge, busy: null, problems: [], notice: null })
    expect(step?.ask).toBe('sync')
  })

  test.each<[string, FormEvent, FormEvent]>([
    ['the details', { type: 'change' }, { type: 'details', typed: { ...sam, day: 'x', lastName: '' }, today }],
    ['an address', { type: 'change', address: 0 }, { type: 'address', typed: { postcode: 'LS1' }, today }],
  ])('a bad change to %s that is given up leaves the answers good', (_what, change, bad) => {
    const flow = follow(...answered, change, bad)
    expect(flow.screen).toHaveProperty('problems.length')
    const gone = advanceForm(flow, back())?.flow
    expect(gone?.screen.name).toBe('answers')
    expect(gone?.answers).toEqual(follow(...answered).answers)
  })

  test('half an address survives going back', () => {
    const flow = follow(details, back({ postcode: 'LS1', townOrCity: '' }))
    expect(flow.answers.addresses).toEqual([{ postcode: 'LS1', townOrCity: '' }])
  })

  test('half an address never gets among the answers', () => {
    const gone = [details, address('2025'), back({ townOrCity: 'Hull' })]
    expect(follow(...gone, address('2025')).answers.addresses[1]).toEqual({ townOrCity: 'Hull' })
    expect(follow(...gone, address('2015')).answers.addresses).toEqual([home('2015')])
  })

  test('an empty address does not become a card', () => {
    expect(follow(details, back({ postcode: '', townOrCity: ' ' })).answers.addresses).toEqual([])
  })

  test('resetting keeps no answer, and the server has nothing to forget', () => {
    const step = advanceForm(follow(...answered), { type: 'reset' })
    expect(step?.flow.answers).toEqual({ person: {}, addresses: [], abroadBefore: false })
    expect(step?.ask).toBeUndefined()
  })

  test('who came from abroad keeps the addresses before that question', () => {
    expect(follow(details, address('2025'), { type: 'abroad' }).answers).toMatchObject({
      addresses: [home('2025')],
      abroadBefore: true,
    })
  })

  test('undoing puts an address back in its place', () => {
    const before = follow(details, address('2025'), address('2024', '2'), address('2010', '3'))
    const removed = advanceForm(before, { type: 'remove', address: 1, today })?.flow ?? before
    expect(removed.answers.addresses).toEqual([home('2025'), home('2010', '3')])
    expect(advanceForm(removed, { type: 'undo' })?.flow.answers).toEqual(before.answers)
  })

  test('each removal, undo and reset is a round of its own, with new inputs', () => {
    const events: FormEvent[] = [{ type: 'remove', address: 1, today }, { type: 'undo' }, { type: 'reset' }]
    const rounds = events.map((_, count) =>
      follow(details, address('2025'), address('2010', '2'), ...events.slice(0, count + 1)),
    )
    expect(rounds.map(({ round }) => round)).toEqual([1, 2, 3])
  })
})

describe('what the lender knows already', () => {
  const prefill: FormEvent = {
    type: 'prefill',
    prefill: {
      firstName: 'Samira',
      dateOfBirth: '1985-03-07',
      addresses: [{ buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH', movedIn: '2019-05' }],
    },
  }

  test('fills in what is empty', () => {
    const { person, addresses } = follow(prefill).answers
    expect(person).toEqual({ firstName: 'Samira', day: '7', month: '3', year: '1985' })
    expect(addresses).toEqual([
      { buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH', movedMonth: '5', movedYear: '2019' },
    ])
  })

  test('is replaced by what it knows later, as long as the consumer has given nothing', () => {
    const other: FormEvent = { type: 'prefill', prefill: { lastName: 'Okafor', email: 'o@example.com' } }
    const expected = { person: { lastName: 'Okafor', email: 'o@example.com' }, addresses: [] }
    expect(follow(prefill, other).answers).toMatchObject(expected)
    expect(follow(prefill, other).answers.person).not.toHaveProperty('firstName')
    // The page resets, which brings back what it knew, and then names another person.
    expect(follow(prefill, ...answered, { type: 'reset' }, prefill, other).answers).toEqual({
      ...expected,
      abroadBefore: false,
    })
  })

  test('never overwrites what was typed', () => {
    const { person, addresses } = follow(...answered, prefill).answers
    expect(person.firstName).toBe('Sam')
    expect(addresses).toEqual([home('2015')])
  })

  test('ignores what is not text', () => {
    const odd: object = { firstName: 7, lastName: null, email: { a: 1 } }
    expect(follow({ type: 'prefill', prefill: odd }).answers.person).toEqual({})
  })

  test.each<[string, object, object]>([
    ['no date of birth', { firstName: 'Sam', dateOfBirth: null }, { person: { firstName: 'Sam' } }],
    ['a date that is no text', { dateOfBirth: new Date(0) }, { person: {} }],
    ['no addresses', { addresses: null }, { addresses: [] }],
    ['addresses that are no list', { addresses: 'LS1 4AP' }, { addresses: [] }],
    ['an address that is not there', { addresses: [null] }, { addresses: [{}] }],
    ['no move', { addresses: [{ postcode: 'LS1 4AP', movedIn: null }] }, { addresses: [{ postcode: 'LS1 4AP' }] }],
  ])('takes %s as unknown', (_what, odd, expected) => {
    expect(follow({ type: 'prefill', prefill: odd }).answers).toMatchObject(expected)
  })

  test('never asks for more addresses than it may send', () => {
    const addresses = Array.from({ length: 20 }, () => ({ postcode: 'LS1 4AP' }))
    expect(follow({ type: 'prefill', prefill: { addresses } }).answers.addresses).toHaveLength(6)
  })

  test('an address known in part is asked for before the answers are shown', () => {
    const partly: FormEvent = { type: 'prefill', prefill: { addresses: [{}, { townOrCity: 'York' }] } }
    expect(follow(partly, details, address('2025')).screen).toMatchObject({ name: 'address', index: 1 })
  })

  test('what the consumer has cleared stays cleared', () => {
    const email: FormEvent = { type: 'prefill', prefill: { email: 'sam@example.com' } }
    const cleared: FormEvent = { type: 'details', typed: { ...sam, email: '' }, today }
    expect(follow(email, cleared, email).answers.person.email).toBe('')
  })
})

describe('what the lender knows and the consumer cannot change', () => {
  const york = { buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH' }
  const known = { firstName: 'Samira', lastName: 'Ash', dateOfBirth: '1985-03-07', mobileNumber: '+447700900999' }
  const locked = (prefill: object): FormEvent => ({ type: 'prefill', prefill, by: 'locked' })
  const start: FormEvent = { type: 'prefill', prefill: { ...known, addresses: [york] }, by: 'start' }
  const untyped: FormEvent = { type: 'details', typed: { middleName: '', email: '' }, today }

  test('takes the place of what was typed before it came', () => {
    const { person } = follow(details, locked(known)).answers
    expect(person).toMatchObject({ firstName: 'Samira', lastName: 'Ash', day: '7', mobileNumber: '+447700900999' })
  })

  test('the addresses of a start are enough, whatever history the page asks for', () => {
    const { screen, answers } = follow(start, untyped)
    expect([screen.name, answers.addresses]).toEqual(['answers', [york]])
    expect(follow(start).start).toBe('here')
  })

  test('a locked address is asked for what is missing, keeps what is known, and is not removed', () => {
    const addresses = [york, { ...york, buildingNumber: '2', movedIn: '2010-01' }]
    const prefilled = locked({ ...known, addresses })
    const asked = follow(prefilled, untyped)
    expect(asked.screen).toMatchObject({ name: 'address', index: 0 })
    const moved: FormEvent = { type: 'address', typed: { movedMonth: '5', movedYear: '2020' }, today }
    const whole = follow(prefilled, untyped, moved)
    expect(whole.screen.name).toBe('answers')
    expect(whole.answers.addresses[0]).toEqual({ ...york, movedMonth: '5', movedYear: '2020' })
    expect(follow(prefilled, untyped, moved, { type: 'remove', address: 1, today }).answers).toEqual(whole.answers)
    // The page renders again: what was typed beside it stays.
    expect(follow(prefilled, untyped, moved, prefilled).answers).toEqual(whole.answers)
    expect(follow(prefilled, untyped, back({ movedMonth: '6' })).answers.addresses[0]).toMatchObject(york)
  })

  test('what a start says stays, whatever the page prefills later', () => {
    const page = { lastName: 'Okafor', email: 'o@example.com' }
    for (const later of [locked(page), { type: 'prefill', prefill: page } as const]) {
      const { person } = follow(start, later).answers
      expect(person).toMatchObject({ lastName: 'Ash', email: 'o@example.com' })
    }
  })

  test('a new beginning waits for the start again', () => {
    const flow = follow(start, untyped, { type: 'reset' })
    expect([flow.start, flow.answers.person, flow.fixed.person]).toEqual(['awaited', {}, {}])
  })
})

test('a report on screen does not come back with the page', () => {
  const report: Screen = {
    name: 'report',
    creditReportId: 'r1',
    data: { summary: { openAccounts: 1, settledAccounts: 0, searches: 2 } },
    preparedAtMs: 0,
  }
  const left = advanceForm({ ...startFlow(36), screen: report }, { type: 'leave' })
  expect(left?.flow.screen).toEqual({ ...report, data: {}, isLeft: true })
})

test('the countries of mobile numbers may come later, and change nothing else', () => {
  const flow = follow(...answered)
  expect(advanceForm(flow, { type: 'mobile-countries', callingCodes: ['44', '353'] })).toEqual({
    flow: { ...flow, mobile: { ...flow.mobile, callingCodes: ['44', '353'] } },
  })
})

test('what happens after the form is not the form’s', () => {
  expect(advanceForm(follow(...answered), { type: 'resend' })).toBeNull()
})

test('until the proxy has said otherwise it is no test, and addresses are typed', () => {
  expect(startFlow(36)).toMatchObject({ test: false, findsAddresses: false })
})

describe('a draft from before a reload', () => {
  const draft = {
    id: 'd1',
    step: 'answers' as const,
    index: 0,
    person: { ...sam, email: 'sam@example.com' },
    addresses: [home('2015')],
    abroadBefore: false,
    about: '',
  }
  const kept = (change: Partial<Draft> = {}, how: { stays?: boolean; resumes?: boolean } = {}): FormEvent => ({
    type: 'draft',
    draft: { ...draft, ...change },
    today,
    stays: false,
    resumes: false,
    ...how,
  })
  const prefill = (known: Prefill, by?: 'locked'): FormEvent => ({ type: 'prefill', prefill: known, by })

  const rows: [string, FormEvent[], Partial<Screen>][] = [
    ['leads to the answers', [kept()], { name: 'answers' }],
    ['to the details', [kept({ step: 'details' })], { name: 'details' }],
    ['to the address', [kept({ step: 'address' })], { name: 'address', index: 0 }],
    ['to one that is still empty', [kept({ step: 'address', index: 1 })], { name: 'address', index: 1 }],
    ['to no address that is further off', [kept({ step: 'address', index: 7 })], { name: 'address', index: 1 }],
    [
      'to what is missing, if something is',
      [kept({ addresses: [{ postcode: 'LS1' }] })],
      { name: 'address', index: 0 },
    ],
    ['to an address, also of one from abroad', [kept({ addresses: [], abroadBefore: true })], { name: 'address' }],
    ['nowhere while something is typed', [kept({}, { stays: true })], { name: 'details' }],
    ['nowhere once the page has emptied the form', [{ type: 'reset' }, kept()], { name: 'details' }],
    ['nowhere after the first step', [details, kept()], { name: 'address', index: 0 }],
    [
      'past an address that the lender has fixed',
      [
        prefill(
          { addresses: [{ buildingNumber: '1', townOrCity: 'Hull', postcode: 'HU1 1AA', movedIn: '2010-01' }] },
          'locked',
        ),
        kept({ step: 'address' }),
      ],
      { name: 'answers' },
    ],
  ]
  test.each(rows)('%s', (_name, events, screen) => expect(follow(...events).screen).toMatchObject(screen))

  test('says so until something else is done', () => {
    expect(follow(kept()).kept).toBe('Patel 1985 3 27')
    expect(follow(kept(), back()).kept).toBeNull()
    expect(follow(kept(), back()).answers.person).toEqual(draft.person)
  })

  describe('beside what the lender knows of the same person', () => {
    const known = {
      ...{ firstName: 'Samuel', lastName: 'Patel', dateOfBirth: '1985-03-27', mobileNumber: '07700900999' },
      addresses: [{ buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH', movedIn: '2010-01' }],
    }
    const both = (by?: 'locked', change: Partial<Draft> = {}) => [
      follow(prefill(known, by), kept(change)),
      follow(kept(change), prefill(known, by)),
    ]

    test('what was typed counts, before and after it', () => {
      for (const { answers, kept: about } of both()) {
        expect(answers.person).toMatchObject({ firstName: 'Sam', mobileNumber: '07700900123' })
        expect(answers.addresses).toEqual([home('2015')])
        expect(about).not.toBeNull()
      }
    })

    test('what the lender knows fills what was left blank, but nothing that was cleared', () => {
      const { firstName: _, ...person } = draft.person
      for (const { answers } of both(undefined, { person: { ...person, mobileNumber: '' }, addresses: [] })) {
        expect(answers.person).toMatchObject({ firstName: 'Samuel', mobileNumber: '' })
        expect(answers.addresses[0]).toMatchObject({ townOrCity: 'York' })
      }
    })

    test('what is locked counts more', () => {
      for (const { answers } of both('locked')) {
        expect(answers.person).toMatchObject({ firstName: 'Samuel', mobileNumber: '07700900999' })
        expect(answers.person.email).toBe('sam@example.com')
        expect(answers.addresses[0]).toMatchObject({ townOrCity: 'York' })
      }
    })

    test('what was typed on this page counts more than the draft', () => {
      const typed: FormEvent = { type: 'details', typed: { ...sam, lastName: '', firstName: 'Alex' }, today }
      const flow = follow(prefill(known), typed, kept({}, { stays: true }))
      expect(flow.answers.person).toMatchObject({ firstName: 'Alex', email: 'sam@example.com' })
    })
  })

  test('of a person is not mixed with what is known of another, before or after it', () => {
    const known = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '1990-12-10' }
    for (const flow of [follow(prefill(known), kept()), follow(kept(), prefill(known))]) {
      expect(flow.answers.person).toEqual({ firstName: 'Ada', lastName: 'Byron', day: '10', month: '12', year: '1990' })
      expect([flow.answers.addresses, flow.screen.name]).toEqual([[], 'details'])
    }
  })

  test('a name that the consumer corrected beside what the lender knows is theirs', () => {
    const known = { lastName: 'Patel-Jones' }
    expect(follow(prefill(known), kept({ about: 'Patel-Jones' })).answers.person.email).toBe('sam@example.com')
  })

  test('"Start again" leaves what the lender knows and nothing else', () => {
    const known = { firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27' }
    const flow = follow(prefill(known, 'locked'), kept(), { type: 'start-again' })
    expect(flow.answers).toBe(flow.known)
    expect(flow.answers.person).toEqual({ firstName: 'Sam', lastName: 'Patel', day: '27', month: '3', year: '1985' })
    expect([flow.screen.name, flow.kept, flow.fixed.person.lastName]).toEqual(['details', null, 'Patel'])
  })

  test('of a request that was not answered is sent exactly as it was', () => {
    const flow = follow(prefill({ firstName: 'Samuel', lastName: 'Patel', dateOfBirth: '1985-03-27' }))
    const sending: Flow = { ...flow, screen: { name: 'sending' }, isResumed: true }
    const step = advanceForm(sending, kept({}, { resumes: true }))
    expect(step).toMatchObject({ ask: 'generate', flow: { hasAgreed: true, kept: null, screen: { name: 'sending' } } })
    expect(step?.flow.answers.person).toEqual(draft.person)
  })
})
