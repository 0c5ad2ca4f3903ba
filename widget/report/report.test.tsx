// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  longReport,
  SAMPLE_PREPARED_AT_MS,
  sampleAccount,
  sampleReport,
  samples,
} from '../../testing/report-samples.ts'
import { drawTheRest, finish } from '../../testing/tasks.ts'
import { LOCALES } from '../strings/locales.ts'
import { createWords } from '../strings/words.ts'
import { Report, type ReportProps, read } from './index.tsx'

const english = await LOCALES['en-GB'].load()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] })
})
afterEach(() => {
  act(() => cleanup())
  vi.useRealTimers()
})

function show(report: object | undefined, changes: Partial<ReportProps> = {}): Element {
  if (!report) throw new Error('there is no such sample')
  const props: ReportProps = {
    ...finish(read(report, SAMPLE_PREPARED_AT_MS)),
    words: createWords('en-GB', english),
    test: false,
    preparedAtMs: SAMPLE_PREPARED_AT_MS,
    reference: 'VLBV GUDZ',
    headingLevel: 2,
    next: { label: null, onNext: () => undefined },
    opensForMinutes: 15,
    onIdle: () => undefined,
    onClose: () => undefined,
    ...changes,
  }
  const { container } = render(<Report {...props} />)
  drawTheRest(container)
  return container
}

function tilesOf(container: Element): (string | undefined)[] {
  return [...(container.querySelector('.report-tiles')?.children ?? [])].map(({ textContent }) => textContent?.trim())
}

const sample = (name: string) => samples[name]?.()

/** The text a section holds, as a person reads it. */
function section(name: string): HTMLElement {
  const found = [...document.querySelectorAll('h3')].find(({ textContent }) => textContent === name)?.closest('section')
  if (!found) throw new Error(`the heading "${name}" stands outside a section`)
  return found
}

/** Opens what is folded inside an element. */
function openAll(inside: Element): void {
  for (const details of inside.querySelectorAll('details'))
    act(() => {
      details.open = true
      fireEvent(details, new Event('toggle'))
    })
  drawTheRest(inside)
}

test('a company without a name reads well in every sentence', () => {
  const container = show(sampleReport([sampleAccount({ companyName: '', accountStatus: 'arrears' })]))
  expect(section('What needs attention').textContent).toContain('A company that is not named reports “Arrears”')
  openAll(container)
  expect(container.textContent).toContain('I do not recognise this Company not named')
  expect(section('Accounts').querySelector('pre')?.textContent).not.toContain('Company:')
})

describe('an ordinary report', () => {
  test('says when and by whom it was prepared', async () => {
    const container = show(sample('default'))
    expect(container.textContent).toContain('Prepared on15 November 2026')
    expect(container.textContent).toContain('AgenciesEquifax, Experian and TransUnion')
    expect(container.textContent).toContain('ReferenceVLBV GUDZV L B V G U D Z')
  })

  test('answers: owed with the mortgage apart, regular payments, needs attention, searches', async () => {
    const container = show(sample('default'))
    expect(tilesOf(container)).toEqual([
      'You owe£8,353.99and £184,500.00 on mortgages',
      'Regular payments reported£1,483.40on 4 open accountsAgencies do not say how often each is paid',
      'Needs attention1',
      'Searches in 12 months3',
    ])
  })

  test('reference, actions, answers and contents stand above the sections, which the contents name all', () => {
    const container = show(sample('default'))
    const text = container.textContent ?? ''
    const places = ['Reference', 'Print or save', 'You owe', 'If something is wrong', 'Merrowdown', 'Open 4'].map(
      (place) => text.indexOf(place),
    )
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const contents = within(screen.getByRole('navigation', { name: 'In this report' })).getAllByRole('button')
    const headings = screen.getAllByRole('heading', { level: 3 })
    expect(contents.map(({ textContent }) => textContent)).toEqual(headings.map(({ textContent }) => textContent))
  })

  test('shows vehicle finance first and settled accounts last', async () => {
    show(sample('default'))
    const names = within(section('Accounts')).getAllByRole('heading', { level: 5 })
    expect(names.map((name) => name.textContent)).toEqual([
      'Larkfield Motor Finance',
      'Harrow & Pell Motor Credit',
      'Oakhollow Building Society',
      'Brackenbury Bank',
      'Tidewell Vehicle Finance',
    ])
  })

  test('opens an account to its details and the references to quote', () => {
    show(sample('single'))
    const card = within(section('Accounts')).getByRole('listitem')
    expect(card.textContent).not.toContain('EQ-7F3K-2291')
    openAll(card)
    for (const text of [
      'Opening balance£11,976.00',
      'Repayment period48',
      'Equifax referenceEQ-7F3K-2291',
      'Ms Rowan Ellery',
    ])
      expect(card.textContent).toContain(text)
  })

  test('names a recent search by a company the reader may not know', () => {
    show(sample('default'))
    const text = section('What needs attention').textContent
    expect(text).toContain('1 company searched in the last 3 months')
    expect(text).toContain('Merrowdown Car Finance19 October 2026, 2 October 2026')
    expect(text).not.toContain('11 May 2025')
    expect(text).not.toContain('Silverbeck')
  })

  test('lists who searched, newest first, on the day of the wire', async () => {
    show(sample('default'))
    const text = section('Who searched').textContent ?? ''
    expect(text.indexOf('19 October 2026')).toBeGreaterThan(-1)
    expect(text.indexOf('4 March 2026')).toBeGreaterThan(text.indexOf('19 October 2026'))
    expect(text.indexOf('27 February 2024')).toBeGreaterThan(text.indexOf('4 March 2026'))
  })

  test('says what to do when something is wrong: 28 days, and a notice of correction', async () => {
    show(sample('default'))
    const text = section('If something is wrong').textContent
    expect(text).toContain('28 days')
    expect(text).toContain('notice of correction')
    expect(text).toContain('TransUniontransunion.co.uk')
  })

  test('shows the date of birth beside the name', () => {
    show(sample('default'))
    expect(section('About you').textContent).toContain('Date of birth27 March 1988')
  })
})

test('a report with nothing in it is kind and useful', async () => {
  const container = show(sample('empty'), { agencies: said({ equifax: 'answered', transunion: 'answered' }) })
  expect(container.textContent).toContain('none under these details at Equifax and TransUnion.')
  expect(section('No accounts or searches').textContent).toContain('gov.uk/register-to-vote')
  expect(section('About you').textContent).toContain('10 Mill Lane')
  expect(container.textContent).not.toContain('£')
  expect(container.textContent).not.toContain('What the words mean')
  expect(screen.queryByRole('button', { name: 'Hide amounts' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Accounts' })).toBeNull()
  // It says to ask an agency, so it says which there are.
  expect(section('If something is wrong').textContent).toContain('Equifaxequifax.co.uk')
})

const said = (statuses: { [id: string]: string }) => Object.entries(statuses).map(([id, status]) => ({ id, status }))

describe('where the report comes from', () => {
  test.each([
    [{ equifax: 'answered', experian: 'answered' }, 'AgenciesEquifax and Experian', 'did not answer'],
    [
      { equifax: 'answered', experian: 'unavailable', transunion: 'not-asked' },
      'Experian and TransUnion did not answer. There may be accounts we cannot show.',
      'AgenciesEquifax and',
    ],
    [{ equifax: 'answered', experian: 'no-file' }, 'No file under these details at Experian.', 'did not answer'],
    [{ equifax: 'answered', experian: 'a-newer-word' }, 'Experian did not answer.', 'AgenciesEquifax and'],
  ])('%j: the page says “%s”, and not “%s”', (statuses, expected, not) => {
    const { textContent } = show(sample('default'), { agencies: said(statuses) })
    expect(textContent).toContain(expected)
    expect(textContent).not.toContain(not)
    expect(textContent).not.toContain('does not say which agencies')
  })

  test('“Nothing on file” is said only where every agency said so', () => {
    const headings = (statuses: { [id: string]: string }) => {
      const { textContent } = show(sample('empty'), { agencies: said(statuses) })
      cleanup()
      return textContent
    }
    expect(headings({ equifax: 'no-file', experian: 'no-file' })).toContain('Nothing on file')
    for (const other of ['answered', 'unavailable', 'not-asked']) {
      const text = headings({ equifax: 'no-file', experian: other })
      expect(text).not.toContain('Nothing on file')
      expect(text).toContain('No file under these details at Equifax.')
    }
  })

  test('a report without a source says so, and names the agencies of its records', () => {
    const { textContent } = show(sample('default'))
    expect(textContent).toContain('This report does not say which agencies were asked.')
    expect(textContent).toContain('AgenciesEquifax')
  })
})

test('an account that an agency tells otherwise shows both, and counts as late where one says so', () => {
  const balance = { amount: 648_700, currency: 'GBP' }
  const bureaus = [
    { id: 'equifax', ref: 'E1' },
    { id: 'experian', ref: 'X1', differs: { accountStatus: 'default', balance } },
  ]
  const container = show(sampleReport([sampleAccount({ accountStatus: 'open', bureaus })], []))
  expect(section('Accounts').textContent).toContain('Experian reports otherwise: Default, Balance £6,487.00')
  expect(tilesOf(container)[2]).toContain('Needs attention1')
  expect(section('What needs attention').textContent).toContain('reports “Default”')
})

test('a file of settled accounts says so first, and raises nothing', () => {
  const container = show(sample('settled'))
  expect(container.querySelector('.lead')?.textContent).toBe(
    'Every account here is settled, and you owe nothing on them.',
  )
  expect(tilesOf(container)[2]).toBe('Needs attention0No account here is late or in default')
  expect(container.textContent).not.toContain('moneyhelper')
  expect(section('Who searched').textContent).toContain('No searches are reported.')
})

test('an account that is settled and still owes is not called settled up', () => {
  const owing = sampleAccount({ accountStatus: 'settled', balance: { amount: 100, currency: 'GBP' } })
  expect(show(sampleReport([owing])).textContent).not.toContain('Every account here is settled')
})

test('accounts in trouble are one group with one advice, each saying when it was opened', () => {
  const container = show(
    sampleReport(
      ['default', 'in arrears', '3'].map((accountStatus, index) =>
        sampleAccount({ companyName: `Lender ${index}`, accountStatus }),
      ),
      [],
    ),
  )
  const text = section('What needs attention').textContent ?? ''
  expect(text).toContain('3 accounts are late or in default')
  expect(text).toContain('Lender 0 reports “Default”Hire purchase, ending 56785 6 7 8. Account opened 4 March 2024')
  expect(text.match(/moneyhelper/g)).toHaveLength(1)
  expect(tilesOf(container)[1]).toContain('1 account that is not open is left out')
})

describe('I do not recognise this', () => {
  const letter = (heading: string, index: number) => {
    const found = section(heading).querySelectorAll('pre')[index]
    return found?.textContent?.split('\n')
  }
  const sender = [
    '',
    'Name: Ms Rowan Ellery',
    'Date of birth: 27 March 1988',
    'Address: Flat 2, 10 Mill Lane, Leeds, LS1 4AP',
  ]

  test('an account: which it is, the references to quote, and the agencies that hold it', () => {
    openAll(show(sample('single')))
    expect(letter('Accounts', 0)).toEqual([
      expect.stringMatching(/^I do not recognise this account on my credit file\./),
      '',
      'Company: Larkfield Motor Finance',
      'Type: Hire purchase',
      'Account number ending: 5678',
      'Account opened: 4 March 2024',
      'Equifax reference: EQ-7F3K-2291',
      'TransUnion reference: TU-88120-LM',
      ...sender,
    ])
    const text = section('Accounts').textContent
    expect(text).toContain('send them to:Equifax equifax.co.ukTransUnion transunion.co.uk')
  })

  test('a search: the company and its dates, to every agency of the report', () => {
    openAll(
      show(sample('default'), {
        agencies: said({ equifax: 'answered', experian: 'no-file', transunion: 'unavailable' }),
      }),
    )
    expect(letter('Who searched', 0)).toEqual([
      expect.stringMatching(/^I do not recognise this search on my credit file\./),
      '',
      'Company: Merrowdown Car Finance',
      'Searched on: 19 October 2026, 2 October 2026, 11 May 2025',
      ...sender,
    ])
    expect(section('Who searched').textContent).toContain('Equifax equifax.co.ukExperian experian.co.uk')
  })
})

describe('what bureaus leave out or make up', () => {
  test('what is missing is not reported, never zero', async () => {
    const records = [{ ...sampleAccount(), balance: undefined, startDate: '', accountStatus: '', accountType: ' ' }]
    const report = { ...sampleReport([], []), consumerData: { records } }
    // A bureau may leave out what the wire promises; the page must hold all the same.
    const container = show(report)
    const card = section('Accounts')
    expect(card.textContent).not.toContain('£0.00')
    expect(within(card).getAllByText('Not reported')).toHaveLength(4)
    // Nothing says that it is open.
    expect(within(card).getByRole('heading', { level: 4 }).textContent).toBe('Other 1')
    expect(tilesOf(container)[0]).toContain('1 balance is not reported')
  })

  test('money in the consumer’s favour is said in words', async () => {
    show(sampleReport([sampleAccount({ balance: { amount: -1200, currency: 'GBP' } })]))
    expect(section('Accounts').textContent).toContain('£12.00 in credit')
    expect(section('Accounts').textContent).not.toContain('-')
  })

  test('mark-up in names stays text', async () => {
    const container = show(sample('odd'))
    expect(container.querySelector('img, script, [onerror], [onload]')).toBeNull()
    expect(container.textContent).toContain('<img src=x onerror="window.hacked=1">')
  })

  test('unknown types and statuses become readable words', async () => {
    show(sample('odd'))
    const text = section('Accounts').textContent
    expect(text).toContain('Debt consolidation')
    expect(text).toContain('In arrears')
    expect(text).toContain('Constructor')
    expect(text).not.toContain('[native code]')
  })
})

describe('a status', () => {
  const shown = async (accountStatus: unknown) => {
    show({ ...sampleReport([]), consumerData: { records: [{ ...sampleAccount(), accountStatus }] } })
    return section('Accounts').textContent ?? ''
  }

  test.each([
    ['XX', 'As reported: XX. Ask the agency what this means.'],
    ['related account', 'As reported: related account. Ask the agency what this means.'],
    [7, 'As reported: 7. Ask the agency what this means.'],
    ['8', 'DefaultHire purchase, ending 56785 6 7 8As reported: 8. Ask the agency what this means.'],
    ['3', '3 payments late'],
  ])('%j is shown as it was reported, with whom to ask', async (status, expected) => {
    const text = await shown(status)
    expect(text).toContain(expected)
    expect(text).toContain(`As reported: ${status}`)
  })

  test.each(['XX', 7, '8'])('%j does not count as open', async (status) => {
    await shown(status)
    expect(within(section('Accounts')).queryByText(/^Open/)).toBeNull()
    expect(document.body.textContent).toContain('on 0 open accounts')
  })

  test.each([
    ['OK', 'Up to date'],
    ['ST', 'Settled'],
    ['in-arrears', 'In arrears'],
  ])('%j needs no explanation', async (status, words) => {
    const text = await shown(status)
    expect(text).toContain(words)
    expect(text).not.toContain('As reported')
  })
})

test.each([
  [1, ['H1', 'H2', 'H3', 'H4']],
  [2, ['H2', 'H3', 'H4', 'H5']],
  [4, ['H4', 'H5', 'H6', 'H6']],
])('headings nest below level %i', async (headingLevel, levels) => {
  const container = show(sample('single'), { headingLevel })
  const used = [...new Set([...container.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(({ tagName }) => tagName))]
  expect(used).toEqual([...new Set(levels)])
})

test('hiding amounts is a switch that says its state', async () => {
  const container = show(sample('single'))
  const button = screen.getByRole('button', { name: 'Hide amounts' })
  expect(button.getAttribute('aria-pressed')).toBe('false')
  await act(() => {
    fireEvent.click(button)
  })
  expect(button.getAttribute('aria-pressed')).toBe('true')
  const article = container.querySelector('article')
  expect(article?.className).toContain('report-private')
  // The sheet writes this word in place of each amount.
  expect(article?.style.getPropertyValue('--report-hidden')).toBe('"Hidden"')
})

test('many accounts can be narrowed to one type', async () => {
  show(longReport(12))
  const accounts = () => within(section('Accounts')).getAllByRole('heading', { level: 5 })
  expect(accounts()).toHaveLength(12)
  await act(() => {
    fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'mortgage' } })
  })
  drawTheRest(section('Accounts'))
  expect(accounts()).toHaveLength(2)
  expect(within(section('Accounts')).getAllByText(/^Mortgage$/).length).toBeGreaterThan(0)
})

test('Welsh is Welsh throughout', async () => {
  const container = show(sample('default'), { words: createWords('cy', await LOCALES.cy.load()) })
  expect(container.textContent).toContain('15 Tachwedd 2026')
  expect(container.textContent).toContain('Hurbwrcas')
  for (const english of ['Prepared', 'Balance', 'Accounts', 'Searches', 'Settled', 'month', 'attention'])
    expect(container.textContent).not.toContain(english)
})

test('ten accounts of a kind are in sight, the others one tap away', () => {
  show(longReport(60))
  expect(section('Accounts').querySelectorAll('h5')).toHaveLength(10 + 10)
  openAll(section('Accounts'))
  expect(section('Accounts').textContent).toContain('Show 30 more accounts')
  expect(section('Accounts').querySelectorAll('h5')).toHaveLength(60)
})

test('three searches are in sight, the others one tap away', () => {
  show(longReport(60))
  expect(section('Who searched').querySelectorAll('.report-lines > li')).toHaveLength(3)
  openAll(section('Who searched'))
  expect(section('Who searched').textContent).toContain('Show 9 more companies')
  expect(section('Who searched').querySelectorAll('.report-lines > li')).toHaveLength(12)
})

test('only words that occur are explained', async () => {
  show(sample('single'))
  const words = () =>
    within(section('What the words mean'))
      .getAllByRole('term')
      .map(({ textContent }) => textContent)
  expect(words()).toEqual(['Credit reference agency', 'Balance', 'Opening balance', 'Reference', 'Hire purchase'])
  act(() => cleanup())
  show(sampleReport([sampleAccount({ accountType: 'PCP', accountStatus: 'DF' })]))
  expect(words().slice(4)).toEqual(['Default', 'PCP'])
})

describe('where to go from here', () => {
  test('the lender’s button stands above and at the end', async () => {
    const onNext = vi.fn()
    show(sample('single'), { next: { label: 'Continue to Larkfield', onNext } })
    const buttons = screen.getAllByRole('button', { name: 'Continue to Larkfield' })
    expect(buttons).toHaveLength(2)
    for (const button of buttons) fireEvent.click(button)
    expect(onNext).toHaveBeenCalledTimes(2)
  })

  test('without words for it there is none', async () => {
    const container = show(sample('single'))
    expect(container.querySelector('[part=button]')).toBeNull()
  })

  test('closing the report is the reader’s own', async () => {
    const onClose = vi.fn()
    show(sample('single'), { onClose })
    fireEvent.click(screen.getByRole('button', { name: 'Close my report' }))
    expect(onClose).toHaveBeenCalledOnce()
  })
})
