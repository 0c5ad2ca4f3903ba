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
import { enCheck } from '../strings/en-check.ts'
import { LOCALES } from '../strings/locales.ts'
import { addEnglish, createWords } from '../strings/words.ts'
import { Report, type ReportProps, readReport } from './index.tsx'

addEnglish(enCheck)

const idle: (() => void)[] = []
beforeEach(() => {
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => idle.push(callback))
})
afterEach(() => {
  act(() => cleanup())
  vi.unstubAllGlobals()
})

async function show(report: object | undefined, changes: Partial<ReportProps> = {}): Promise<Element> {
  if (!report) throw new Error('there is no such sample')
  const props: ReportProps = {
    report: readReport(report),
    words: createWords('en-GB'),
    test: false,
    preparedAtMs: SAMPLE_PREPARED_AT_MS,
    reference: 'VLBV GUDZ',
    headingLevel: 2,
    next: { label: null, onNext: () => undefined },
    onClose: () => undefined,
    ...changes,
  }
  const { container } = render(<Report {...props} />)
  await idleLong()
  return container
}

function tilesOf(container: Element): (string | undefined)[] {
  return [...(container.querySelector('dl')?.children ?? [])].map(({ textContent }) => textContent?.trim())
}

/** Lets the browser be idle until nothing waits for it any more. */
async function idleLong(): Promise<void> {
  for (let callback = idle.shift(); callback; callback = idle.shift()) await act(callback)
}

const sample = (name: string) => samples[name]?.()

/** The text a section holds, as a person reads it. */
function section(name: string): HTMLElement {
  const found = [...document.querySelectorAll('h3')].find(({ textContent }) => textContent === name)?.closest('section')
  if (!found) throw new Error(`the heading "${name}" stands outside a section`)
  return found
}

test('a company without a name reads well in every sentence', async () => {
  const nameless = sampleAccount({ companyName: '', accountStatus: 'arrears' })
  const container = await show(sampleReport([nameless]))
  expect(section('What needs attention').textContent).toContain('A company that is not named reports “Arrears”')
  expect(section('What needs attention').textContent).toContain('Ask the company what this means for you')
  for (const details of container.querySelectorAll('details')) fireEvent(details, new Event('toggle'))
  await idleLong()
  expect(container.textContent).toContain('the agency and the company can')
})

describe('an ordinary report', () => {
  test('says when and by whom it was prepared', async () => {
    const container = await show(sample('default'))
    expect(container.textContent).toContain('Prepared on15 November 2026')
    expect(container.textContent).toContain('AgenciesEquifax, Experian, TransUnion')
    expect(container.textContent).toContain('ReferenceVLBV GUDZV L B V G U D Z')
  })

  test('answers first: owed with the mortgage apart, to pay each month, needs attention, searches', async () => {
    const container = await show(sample('default'))
    expect(tilesOf(container)).toEqual([
      'You owe£8,353.99and £184,500.00 on mortgages',
      'To pay each month£1,483.40on 4 open accounts',
      'Needs attention1',
      'Searches in 12 months3',
    ])
  })

  test('answers stand before the buttons, the reference and the contents', async () => {
    const container = await show(sample('default'))
    const text = container.textContent ?? ''
    const places = [
      'You owe',
      'What needs attention',
      'Who searched',
      'Print or save',
      'Reference',
      'Timeline',
      'Open 4',
    ]
    expect(places.map((place) => text.indexOf(place))).toEqual(
      places.map((place) => text.indexOf(place)).sort((a, b) => a - b),
    )
  })

  test('lists what is owed, without a bar for the mortgage', async () => {
    await show(sample('default'))
    const rows = within(section('What you owe, by type')).getAllByRole('listitem')
    expect(rows.map((row) => row.textContent)).toEqual([
      'Hire purchase 2 accounts£7,054.00',
      'Credit card 1 account£1,299.99',
      'Mortgage 1 account£184,500.00',
    ])
    expect(rows.map((row) => row.querySelectorAll('svg').length)).toEqual([1, 1, 0])
  })

  test('shows vehicle finance first and settled accounts last', async () => {
    await show(sample('default'))
    const names = within(section('Accounts')).getAllByRole('heading', { level: 5 })
    expect(names.map((name) => name.textContent)).toEqual([
      'Larkfield Motor Finance',
      'Harrow & Pell Motor Credit',
      'Oakhollow Building Society',
      'Brackenbury Bank',
      'Tidewell Vehicle Finance',
    ])
  })

  test('opens an account to its details and the references to quote', async () => {
    await show(sample('single'))
    const card = within(section('Accounts')).getByRole('listitem')
    expect(card.textContent).not.toContain('EQ-7F3K-2291')
    const details = card.querySelector('details')
    if (!details) throw new Error('the card has no details')
    await act(() => {
      details.open = true
      fireEvent(details, new Event('toggle'))
    })
    for (const text of ['Opening balance£11,976.00', 'Repayment period48', 'EquifaxEQ-7F3K-2291', 'Ms Rowan Ellery'])
      expect(card.textContent).toContain(text)
  })

  test('points out the company that searched twice in a month', async () => {
    await show(sample('default'))
    expect(section('What needs attention').textContent).toContain(
      'Merrowdown Car Finance searched 2 times within 30 days',
    )
    expect(section('What needs attention').textContent).toContain('Searched on 2 October 2026, 19 October 2026')
  })

  test('draws a lane for each account and says the same in words', async () => {
    await show(sample('default'))
    const lanes = within(section('Timeline')).getAllByRole('listitem')
    expect(lanes.map((lane) => lane.textContent)).toEqual([
      'Tidewell Vehicle Finance, Hire purchaseStarted February 2018, settled',
      'Brackenbury Bank, Credit cardSeptember 2019 to now',
      'Oakhollow Building Society, MortgageJune 2020 to now',
      'Harrow & Pell Motor Credit, Hire purchaseNovember 2023 to now',
      'Larkfield Motor Finance, Hire purchaseMarch 2024 to now',
      'Searches5 searches, February 2024 to October 2026',
    ])
    for (const picture of section('Timeline').querySelectorAll('svg'))
      expect(picture.getAttribute('aria-hidden')).toBe('true')
  })

  test('lists who searched, newest first, on the day of the wire', async () => {
    await show(sample('default'))
    const text = section('Who searched').textContent ?? ''
    expect(text.indexOf('19 October 2026')).toBeGreaterThan(-1)
    expect(text.indexOf('4 March 2026')).toBeGreaterThan(text.indexOf('19 October 2026'))
    expect(text.indexOf('27 February 2024')).toBeGreaterThan(text.indexOf('4 March 2026'))
  })

  test('says what to do when something is wrong: 28 days, and a notice of correction', async () => {
    await show(sample('default'))
    const text = section('If something is wrong').textContent
    expect(text).toContain('28 days')
    expect(text).toContain('notice of correction')
    expect(text).toContain('TransUniontransunion.co.uk')
  })

  test('keeps the day of birth back until it is asked for', async () => {
    const container = await show(sample('default'))
    expect(container.textContent).toContain('1988')
    expect(container.textContent).not.toContain('27 March 1988')
  })
})

test('a report with nothing in it is kind and useful', async () => {
  const container = await show(sample('empty'), { bureaus: ['equifax', 'transunion'] })
  expect(container.textContent).toContain('Agencies asked: Equifax, TransUnion.')
  expect(section('Nothing on file, and that is all right').textContent).toContain('gov.uk/register-to-vote')
  expect(section('About you').textContent).toContain('10 Mill Lane')
  expect(container.textContent).not.toContain('£')
  expect(container.textContent).not.toContain('What the words mean')
  expect(screen.queryByRole('button', { name: 'Hide amounts' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Accounts' })).toBeNull()
  // It says to ask an agency, so it says which there are.
  expect(section('If something is wrong').textContent).toContain('Equifaxequifax.co.uk')
})

test.each([
  [['2026-10-02'], '1 search, October 2026'],
  [['2026-10-02', '2026-10-30'], '2 searches, October 2026'],
  [['2025-10-02', '2026-10-02'], '2 searches, October 2025 to October 2026'],
])('searches on %j are drawn as %j', async (dates, expected) => {
  await show(sampleReport([], [{ companyName: 'Silverbeck Bank', records: dates.map((date) => ({ date })) }]))
  expect(within(section('Timeline')).getByRole('listitem').textContent).toBe(`Searches${expected}`)
})

test('a report without searches says so', async () => {
  await show(sample('settled'))
  expect(section('Who searched').textContent).toContain('No searches are reported.')
  expect(section('What you owe, by type').textContent).toContain('No account reports money owed.')
})

describe('what bureaus leave out or make up', () => {
  test('what is missing is not reported, never zero', async () => {
    const records = [{ ...sampleAccount(), balance: undefined, startDate: '', accountStatus: '', accountType: ' ' }]
    const report = { ...sampleReport([], []), consumerData: { records } }
    // A bureau may leave out what the wire promises; the page must hold all the same.
    const container = await show(report)
    const card = section('Accounts')
    expect(card.textContent).not.toContain('£0.00')
    expect(within(card).getAllByText('Not reported')).toHaveLength(4)
    // Nothing says that it is open.
    expect(within(card).getByRole('heading', { level: 4 }).textContent).toBe('Other 1')
    expect(tilesOf(container)[0]).toContain('1 balance is not reported')
  })

  test('money in the consumer’s favour is said in words', async () => {
    await show(sampleReport([sampleAccount({ balance: { amount: -1200, currency: 'GBP' } })]))
    expect(section('Accounts').textContent).toContain('£12.00 in credit')
    expect(section('Accounts').textContent).not.toContain('-')
  })

  test('mark-up in names stays text', async () => {
    const container = await show(sample('odd'))
    expect(container.querySelector('img, script, [onerror], [onload]')).toBeNull()
    expect(container.textContent).toContain('<img src=x onerror="window.hacked=1">')
  })

  test('types and statuses nobody knows become readable words', async () => {
    await show(sample('odd'))
    const text = section('Accounts').textContent
    expect(text).toContain('Debt consolidation')
    expect(text).toContain('In arrears')
    expect(text).toContain('Constructor')
    expect(text).not.toContain('[native code]')
  })
})

describe('a status', () => {
  const shown = async (accountStatus: unknown) => {
    await show({ ...sampleReport([]), consumerData: { records: [{ ...sampleAccount(), accountStatus }] } })
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
  const container = await show(sample('single'), { headingLevel })
  const used = [...new Set([...container.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(({ tagName }) => tagName))]
  expect(used).toEqual([...new Set(levels)])
})

test('hiding amounts is a switch that says its state', async () => {
  const container = await show(sample('single'))
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
  await show(longReport(12))
  const accounts = () => within(section('Accounts')).getAllByRole('heading', { level: 5 })
  expect(accounts()).toHaveLength(12)
  await act(() => {
    fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'mortgage' } })
  })
  await idleLong()
  expect(accounts()).toHaveLength(2)
  expect(within(section('Accounts')).getAllByText(/^Mortgage$/).length).toBeGreaterThan(0)
})

test('a long report arrives whole', async () => {
  await show(longReport(60))
  expect(section('Accounts').querySelectorAll('h5')).toHaveLength(60)
  expect(section('Who searched').querySelectorAll('li')).toHaveLength(3)
})

test('Welsh is Welsh throughout', async () => {
  const container = await show(sample('default'), { words: createWords('cy', await LOCALES.cy.load()) })
  expect(container.textContent).toContain('15 Tachwedd 2026')
  expect(container.textContent).toContain('Hurbwrcas')
  for (const english of ['Prepared', 'Balance', 'Accounts', 'Searches', 'Settled', 'month', 'attention'])
    expect(container.textContent).not.toContain(english)
})

describe('long lists fold', () => {
  test('from ten accounts on the timeline waits to be asked for', async () => {
    await show(longReport(9))
    expect(section('Timeline').querySelectorAll('li').length).toBeGreaterThan(8)
    act(() => cleanup())
    await show(longReport(10))
    expect(section('Timeline').querySelector('li')).toBeNull()
    await open(section('Timeline'), 'Show the timeline')
    expect(section('Timeline').querySelectorAll('li')).toHaveLength(11)
  })

  test('three searches are in sight, the others one tap away', async () => {
    await show(longReport(60))
    await open(section('Who searched'), 'Show 9 more companies')
    expect(section('Who searched').querySelectorAll('li')).toHaveLength(12)
  })

  async function open(within: HTMLElement, summary: string): Promise<void> {
    const details = [...within.querySelectorAll('details')].find(
      ({ firstChild }) => firstChild?.textContent === summary,
    )
    if (!details) throw new Error(`nothing says "${summary}"`)
    await act(() => {
      details.open = true
      fireEvent(details, new Event('toggle'))
    })
    await idleLong()
  }
})

test('only words that occur are explained', async () => {
  await show(sample('single'))
  const words = () =>
    within(section('What the words mean'))
      .getAllByRole('term')
      .map(({ textContent }) => textContent)
  expect(words()).toEqual(['Credit reference agency', 'Balance', 'Opening balance', 'Reference', 'Hire purchase'])
  act(() => cleanup())
  await show(sampleReport([sampleAccount({ accountType: 'PCP', accountStatus: 'DF' })]))
  expect(words().slice(4)).toEqual(['Default', 'PCP'])
})

describe('where to go from here', () => {
  test('the lender’s button stands above and at the end', async () => {
    const onNext = vi.fn()
    await show(sample('single'), { next: { label: 'Continue to Larkfield', onNext } })
    const buttons = screen.getAllByRole('button', { name: 'Continue to Larkfield' })
    expect(buttons).toHaveLength(2)
    for (const button of buttons) fireEvent.click(button)
    expect(onNext).toHaveBeenCalledTimes(2)
  })

  test('without words for it there is none', async () => {
    const container = await show(sample('single'))
    expect(container.querySelector('[part=button]')).toBeNull()
  })

  test('closing the report is the reader’s own', async () => {
    const onClose = vi.fn()
    await show(sample('single'), { onClose })
    fireEvent.click(screen.getByRole('button', { name: 'Close my report' }))
    expect(onClose).toHaveBeenCalledWith(false)
  })
})
