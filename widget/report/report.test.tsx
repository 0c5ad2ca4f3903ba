// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/preact'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountRecord } from '../../contract/credit-report.ts'
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
// Fetched before the clock is a fake one.
await import('./help/index.tsx')

/** Loading needs no time of the fake clock. */
const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 5 })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] })
})
afterEach(() => {
  act(() => cleanup())
  vi.useRealTimers()
})

type Statuses = { [id: string]: string }
type Changes = Partial<ReportProps> & { agencies?: Statuses }

function show(report: object | undefined, { agencies, ...changes }: Changes = {}): Element {
  if (!report) throw new Error('there is no such sample')
  const said = agencies && Object.entries(agencies).map(([id, status]) => ({ id, status }))
  const props: ReportProps = {
    ...finish(read(report, said, SAMPLE_PREPARED_AT_MS)),
    words: createWords('en-GB', english),
    test: false,
    preparedAtMs: SAMPLE_PREPARED_AT_MS,
    reference: 'VLBV GUDZ',
    headingLevel: 2,
    next: null,
    opensUntilMs: SAMPLE_PREPARED_AT_MS + 15 * 60_000,
    onSeen: () => undefined,
    onIdle: () => undefined,
    onClose: () => undefined,
    ...changes,
  }
  const { container } = render(<Report {...props} />)
  drawTheRest(container)
  return container
}

const sample = (name: string) => samples[name]?.()
const ALL = { equifax: 'answered', experian: 'answered', transunion: 'answered' }
const pounds = (amount: number) => ({ amount: amount * 100, currency: 'GBP' })

/** The section under a heading. */
function section(name: string): HTMLElement {
  const headings = [...document.querySelectorAll('.report h3')]
  const found = headings.find(({ textContent }) => textContent?.startsWith(name))?.closest('section')
  if (!found) throw new Error(`the heading "${name}" stands outside a section`)
  return found
}

const textOf = (name: string) => section(name).textContent?.replace(/\s+/g, ' ')
const verdict = () => document.querySelector('.report-verdict')
const rows = () => [...section('Accounts').querySelectorAll('[part=account]')]
const row = (index: number) => rows()[index]?.textContent?.replace(/\s+/g, ' ') ?? ''

/** Opens what is folded inside an element, and what is folded inside that. */
async function openAll(inside: Element): Promise<void> {
  const closed = () => [...inside.querySelectorAll('details')].filter(({ open }) => !open)
  while (closed().length > 0) {
    for (const details of closed())
      act(() => {
        details.open = true
        fireEvent(details, new Event('toggle'))
      })
    drawTheRest(inside)
    await waitFor(() => expect(inside.textContent).not.toContain('One moment'))
  }
}

describe('the verdict', () => {
  const late = (accountStatus: string) => sampleAccount({ accountStatus, balance: pounds(10) })

  test.each<[string, object | undefined, string, Statuses, string[]]>([
    ['nothing late', sample('four'), 'clear', ALL, ['Nothing needs your attention', 'No search in 12 months.']],
    ['all settled', sample('settled'), 'clear', ALL, ['Every account here is settled, and you owe nothing on them.']],
    ['an account in arrears', sampleReport([late('in arrears')], []), 'watch', ALL, ['1 account is late']],
    [
      'a default and arrears',
      sampleReport([late('in arrears'), late('8'), late('default')], []),
      'late',
      ALL,
      ['2 accounts are in default', '1 account is late'],
    ],
    [
      'an agency away',
      sample('four'),
      'watch',
      { ...ALL, transunion: 'unavailable' },
      [
        'TransUnion did not answer. There may be accounts we cannot show.',
        'No account is reported late or in default.',
      ],
    ],
    [
      'a search to check',
      sample('default'),
      'watch',
      ALL,
      ['Check 1 company that searched', 'has no account of yours', 'No account is reported late or in default.'],
    ],
    [
      'a detail that cannot be read',
      { ...sampleReport([], []), consumerData: { records: [{ ...sampleAccount(), balance: 'lots' }] } },
      'watch',
      ALL,
      ['1 detail could not be read, and is shown as “Not reported”.'],
    ],
    [
      'a status that no one knows',
      sampleReport([late('XQ')], []),
      'watch',
      ALL,
      ['1 account has ended or is not clear'],
    ],
  ])('%s', (_what, report, level, agencies, said) => {
    show(report, { agencies })
    expect(verdict()?.className).toContain(`report-level-${level}`)
    for (const words of said) expect(verdict()?.textContent).toContain(words)
    expect(verdict()?.textContent?.includes('Nothing needs your attention')).toBe(level === 'clear')
  })

  test('comes first, and leads to what it names', () => {
    const container = show(sampleReport([late('default'), sampleAccount()], []))
    expect(container.querySelector('h2')?.nextElementSibling).toBe(verdict())
    fireEvent.click(screen.getByRole('button', { name: '1 account is in default' }))
    expect(document.activeElement?.textContent).toBe('Late or in default 1')
  })

  test('leads to the searches, and opens them', () => {
    show(sample('default'))
    fireEvent.click(screen.getByRole('button', { name: 'Check 1 company that searched' }))
    expect(section('Who searched').querySelector('details')?.open).toBe(true)
    expect(document.activeElement?.textContent).toBe('Who searched 3')
  })

  test('an account that is settled and still owes is not called settled up', () => {
    show(sampleReport([sampleAccount({ accountStatus: 'settled', balance: pounds(1) })]))
    expect(verdict()?.textContent).not.toContain('Every account here is settled')
  })
})

describe('the figures', () => {
  const bars = (name: string) =>
    [...section(name).querySelectorAll<HTMLElement>('.report-bar > i')].map(({ style, className }) => [
      className,
      Number(Number(style.getPropertyValue('--share')).toFixed(3)),
    ])
  const list = (name: string) =>
    within(section(name))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  test('what is owed: the mortgage apart, one bar, and the accounts as its list', () => {
    show(sample('four'))
    expect(textOf('You owe')).toContain('You owe£18,111.74and £269,696.70 on mortgages.')
    expect(list('You owe')).toEqual([
      'Larkfield Motor Finance£8,827.02',
      'Tidewell Vehicle Finance£4,453.28',
      'Brackenbury Bank£4,831.44',
    ])
    expect(bars('You owe')).toEqual([
      ['report-kind-1', 0.487],
      ['report-kind-2', 0.246],
      ['report-kind-3', 0.267],
    ])
  })

  test('regular payments: the mortgage last, and what is not reported in words', () => {
    show(sample('four'))
    expect(textOf('Regular payments')).toContain('£2,166.43on 4 open accounts. How often is not reported.')
    expect(list('Regular payments').at(-1)).toBe('Pennistone Home Loans£1,645.02')
    expect(bars('Regular payments').at(-1)).toEqual(['report-kind-mortgage', 0.759])
  })

  test('of many accounts five are named, and the others are one part', () => {
    show(longReport(40))
    expect(list('You owe')).toHaveLength(6)
    expect(list('You owe').at(-1)).toBe('22 other accounts£111,342.00')
  })

  test.each<[string, Partial<AccountRecord>, string, string]>([
    ['nothing owed is a word', { accountStatus: 'settled', balance: pounds(0) }, 'You owe', 'You oweNothing'],
    ['no payments is a word', { accountStatus: 'settled', balance: pounds(0) }, 'Regular', 'paymentsNothing'],
    ['a mortgage alone is the figure', { accountType: 'mortgage' }, 'You owe', '£6,487.00on mortgages.'],
  ])('%s', (_what, changes, name, expected) => {
    show(sampleReport([sampleAccount(changes)]))
    expect(textOf(name)).toContain(expected)
  })

  test('what is not reported is a word, and no bar', () => {
    const records = [{ ...sampleAccount(), balance: undefined, payment: undefined }]
    show({ ...sampleReport([]), consumerData: { records } })
    expect(textOf('You owe')).toContain('You oweNot reported1 balance is not reported.')
    expect(textOf('Regular payments')).toContain('Not reported')
    expect(document.querySelector('.report-bar')).toBeNull()
  })

  test('currencies are never added together', () => {
    show(sampleReport([sampleAccount(), sampleAccount({ balance: { amount: 5_000, currency: 'JPY' } })]))
    expect(textOf('You owe')).toContain('£6,487.00 + JP¥5,000')
    expect(bars('You owe')).toEqual([['report-kind-1', 1]])
  })
})

describe('the accounts', () => {
  test('are in groups by what there is to do, a default never among others', () => {
    show(sample('trouble'))
    const groups = within(section('Accounts')).getAllByRole('heading', { level: 4 })
    expect(groups.map(({ textContent }) => textContent)).toEqual([
      'Late or in default 2',
      'Open 4',
      'Ended or not clear 1',
      'Settled 2',
    ])
    expect(row(0)).toContain('Fennimore Card Services')
    expect(row(0)).toContain('Default')
    expect(textOf('Accounts')).toContain('moneyhelper.org.uk gives free advice')
  })

  test('one group needs no heading of its own', () => {
    show(sample('four'))
    expect(screen.getByRole('heading', { level: 3, name: 'Accounts Open 4' })).toBeDefined()
    expect(within(section('Accounts')).queryByRole('heading', { name: /^Open/ })).toBeNull()
  })

  test('a row has name, type, ending, balance, payment and how far it is repaid', () => {
    show(sample('four'), { agencies: ALL })
    expect(row(0)).toContain(
      'Larkfield Motor FinanceBalance £8,827.02 Hire purchase •• 8153, ending 8 1 5 3£232.29 regular21% of £11,149.92 repaid',
    )
    const bar = rows()[0]?.querySelector<HTMLElement>('.report-repaid > i')
    expect(Number(bar?.style.getPropertyValue('--share'))).toBeCloseTo(0.208, 3)
    // A card has nothing to count towards.
    expect(row(2)).not.toContain('repaid')
  })

  test.each([
    [11_976, 'None of £11,976.00 repaid'],
    [11_975, '1% of £11,976.00 repaid'],
    [1, '99% of £11,976.00 repaid'],
    [0, '100% of £11,976.00 repaid'],
  ])('a balance of £%i is “%s”', (balance, expected) => {
    show(sampleReport([sampleAccount({ balance: pounds(balance) })]))
    expect(row(0)).toContain(expected)
    expect(rows()[0]?.querySelectorAll('.report-repaid > i')).toHaveLength(balance === 11_976 ? 0 : 1)
  })

  test('the rest is behind one press', async () => {
    show(sample('single'))
    expect(row(0)).not.toContain('EQ-7F3K-2291')
    await openAll(section('Accounts'))
    for (const text of [
      'StatusOpen',
      'Account opened4 March 2024',
      'Opening balance£11,976.00',
      'Number of payments48',
      'Equifax referenceEQ-7F3K-2291',
    ])
      expect(row(0)).toContain(text)
    // The same number twice, and the reader's own name, say nothing more.
    for (const text of ['Repayment period', 'Ms Rowan Ellery reference', 'Name on it'])
      expect(row(0)).not.toContain(text)
  })

  test('a name that is not the reader’s, and a period that is not the number of payments, are shown', async () => {
    show(sampleReport([sampleAccount({ firstName: 'R', repaymentPeriod: 52 })]))
    await openAll(section('Accounts'))
    expect(row(0)).toContain('Name on itMs R Ellery')
    expect(row(0)).toContain('Repayment period52')
  })

  test('marks say of each agency whether it reports the account', () => {
    show(sample('default'), { agencies: { ...ALL, experian: 'unavailable' } })
    expect(row(0)).toContain('EqExTrEquifax: reports it. Experian: did not answer. TransUnion: reports it.')
    const states = [...(rows()[0]?.querySelectorAll('.report-marks i') ?? [])].map(({ className }) => className)
    expect(states).toEqual(['report-reports', 'report-away', 'report-reports'])
  })

  test('agencies stand side by side where they differ', async () => {
    show(sample('four'), { agencies: ALL })
    const differences = within(section('Accounts')).getByText('4 differ').closest('details')
    expect(differences?.querySelector('ul')).toBeNull()
    await openAll(section('Accounts'))
    expect(differences?.textContent).toContain(
      'Equifaxreports itBalance £8,827.02Experianreports itBalance £9,059.31TransUnionreports itBalance £8,827.02',
    )
    expect(differences?.textContent).toContain('Equifaxdoes not report itExperianreports it')
  })

  test('where all agree there is nothing to compare', () => {
    show(sampleReport([sampleAccount()]), { agencies: { equifax: 'answered', transunion: 'answered' } })
    expect(textOf('Accounts')).not.toContain('Agencies side by side')
  })

  test('what one agency calls a default counts, and shows as what it is', () => {
    const bureaus = [
      { id: 'equifax', ref: 'E1' },
      { id: 'experian', ref: 'X1', differs: { accountStatus: 'default' } },
    ]
    show(sampleReport([sampleAccount({ bureaus })], []))
    expect(verdict()?.textContent).toContain('1 account is in default')
    expect(row(0)).toContain('Default')
  })

  test('eight open accounts and three settled ones are in sight, the others one press away', async () => {
    show(longReport(60))
    expect(rows()).toHaveLength(8 + 3)
    expect(textOf('Accounts')).toContain('Show 32 more accounts')
    expect(textOf('Accounts')).toContain('Show 17 more accounts')
    for (const summary of within(section('Accounts')).getAllByText(/^Show/)) {
      const details = summary.closest('details')
      act(() => void fireEvent(Object.assign(details ?? summary, { open: true }), new Event('toggle')))
    }
    drawTheRest(section('Accounts'))
    expect(rows()).toHaveLength(60)
  })
})

describe('a status', () => {
  const shown = async (accountStatus: unknown) => {
    show({ ...sampleReport([]), consumerData: { records: [{ ...sampleAccount(), accountStatus }] } })
    return row(0)
  }

  test.each([
    ['XX', 'XX As reported: XX. Ask the agency what this means.'],
    ['related account', 'Related account As reported: related account. Ask the agency what this means.'],
    [7, '7 As reported: 7. Ask the agency what this means.'],
    ['8', 'Default As reported: 8. Ask the agency what this means.'],
    ['3', '3 payments late As reported: 3.'],
  ])('%j is shown as it was reported, with whom to ask', async (status, expected) => {
    expect((await shown(status)).toLowerCase()).toContain(expected.toLowerCase())
  })

  test.each(['XX', 7, '8'])('%j does not count as open', async (status) => {
    await shown(status)
    expect(textOf('Accounts')).not.toContain('Open')
    expect(textOf('Regular payments')).toContain('on 0 open accounts.')
  })

  test.each([
    ['OK', 'Up to date'],
    ['ST', 'Settled'],
    ['in-arrears', 'In arrears'],
  ])('%j needs no explanation', async (status, words) => {
    await shown(status)
    await openAll(section('Accounts'))
    expect(row(0)).toContain(words)
    expect(row(0)).not.toContain('As reported')
  })
})

describe('over time', () => {
  const lanes = () =>
    within(section('Over time'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  test('addresses, accounts and searches are lines, and a list with their dates', () => {
    show(sample('four'))
    expect(lanes()).toEqual([
      'Addresses: 15 July 2024, 15 July 2019',
      'Pennistone Home Loans: 25 December 2017',
      'Brackenbury Bank: 17 February 2023',
      'Tidewell Vehicle Finance: 20 January 2024',
      'Larkfield Motor Finance: 9 January 2025',
      'Searches: 19 October 2025, 2 October 2025, 11 May 2025, 4 March 2025, 27 February 2024',
    ])
    expect(textOf('Over time')).toContain('Oldest account: 25 December 2017')
  })

  test('of an account that is settled only the start is known', () => {
    show(sampleReport([sampleAccount({ accountStatus: 'settled', balance: pounds(0) })]))
    const [mark] = section('Over time').querySelectorAll<HTMLElement>('li:nth-child(2) > i')
    expect(mark?.style.getPropertyValue('--share')).toBe('0')
  })

  test('many accounts are marks on one line, and their first and last date in words', () => {
    show(longReport(40))
    expect(lanes()[1]).toBe('Accounts: 40, 1 January 2008, 8 December 2025')
    expect(section('Over time').querySelectorAll('li:nth-child(2) path')).toHaveLength(1)
  })

  test('without a date there is no line', () => {
    show({ consumerData: { records: [{ ...sampleAccount(), startDate: '' }] } })
    expect(screen.queryByRole('heading', { name: 'Over time' })).toBeNull()
  })
})

describe('who searched', () => {
  test('newest first, on the day of the wire', async () => {
    show(sample('default'))
    await openAll(section('Who searched'))
    expect(textOf('Who searched')).toMatch(
      /19 October 2026, 2 October 2026, 11 May 2025.*4 March 2026.*27 February 2024/,
    )
  })

  test('what to think of a company without an account is said where there is one', async () => {
    show(sample('default'))
    await openAll(section('Who searched'))
    expect(textOf('Who searched')).toContain('usual when you compare offers')
    act(() => cleanup())
    show(sample('four'))
    await openAll(section('Who searched'))
    expect(textOf('Who searched')).not.toContain('usual when you compare offers')
  })

  test('five companies are in sight, the others one press away', async () => {
    show(longReport(60))
    const details = section('Who searched').querySelector('details')
    act(() => void fireEvent(Object.assign(details ?? document, { open: true }), new Event('toggle')))
    expect(section('Who searched').querySelectorAll('.report-lines > li')).toHaveLength(5)
    expect(textOf('Who searched')).toContain('Show 7 more companies')
  })

  test('a search without a date is one', async () => {
    show(sample('odd'))
    await openAll(section('Who searched'))
    expect(textOf('Who searched')).toContain('1 without a date')
  })
})

test('about you: name, date of birth and addresses, behind one press', async () => {
  show(sample('default'))
  expect(textOf('About you')).not.toContain('27 March 1988')
  await openAll(section('About you'))
  expect(textOf('About you')).toContain('Date of birth27 March 1988')
  expect(textOf('About you')).toContain('Time at this address: 2 years and 4 months')
})

describe('what few people open', () => {
  test('is fetched when it is opened', async () => {
    show(sample('default'))
    const details = section('If something is wrong').querySelector('details')
    act(() => void fireEvent(Object.assign(details ?? document, { open: true }), new Event('toggle')))
    expect(textOf('If something is wrong')).toContain('One moment')
    await waitFor(() => expect(textOf('If something is wrong')).toContain('28 days'))
  })

  test('says what to do when something is wrong, and where each agency takes it', async () => {
    show(sample('default'), { agencies: ALL })
    await openAll(section('If something is wrong'))
    const links = within(section('If something is wrong')).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://ico.org.uk',
      'https://www.cifas.org.uk',
      'https://www.equifax.co.uk/contact-us',
      'https://ins.experian.co.uk/contact',
      'https://www.transunionstatreport.co.uk/DisputesFAQs',
    ])
    expect(textOf('If something is wrong')).toContain('notice of correction')
  })

  test('explains only words that occur', async () => {
    const words = async () => {
      await openAll(section('What the words mean'))
      return within(section('What the words mean'))
        .getAllByRole('term')
        .map(({ textContent }) => textContent)
    }
    show(sample('single'))
    expect(await words()).toEqual([
      'Credit reference agency',
      'Balance',
      'Opening balance',
      'Reference',
      'Hire purchase',
    ])
    act(() => cleanup())
    show(sampleReport([sampleAccount({ accountType: 'PCP', accountStatus: 'DF' })]))
    expect((await words()).slice(4)).toEqual(['Default', 'PCP'])
  })

  test('a part that does not load can be asked for again', async () => {
    const help = vi.fn(english.help).mockRejectedValueOnce(new Error('offline'))
    show(sample('default'), { words: createWords('en-GB', { ...english, help }) })
    const details = section('What the words mean').querySelector('details')
    act(() => void fireEvent(Object.assign(details ?? document, { open: true }), new Event('toggle')))
    await waitFor(() => expect(textOf('What the words mean')).toContain('This part did not load.'))
    fireEvent.click(within(section('What the words mean')).getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(textOf('What the words mean')).toContain('Credit reference agency'))
  })
})

describe('I do not recognise this', () => {
  const letter = (name: string) => section(name).querySelector('pre')?.textContent?.split('\n')
  const sender = [
    '',
    'Name: Ms Rowan Ellery',
    'Date of birth: 27 March 1988',
    'Address: Flat 2, 10 Mill Lane, Leeds, LS1 4AP',
  ]

  test('an account: a letter that says which it is, to the agencies that report it', async () => {
    show(sample('single'), { agencies: ALL })
    await openAll(section('Accounts'))
    expect(letter('Accounts')).toEqual([
      '15 November 2026',
      '',
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
    const links = within(section('Accounts')).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href')?.split('?')[0])).toEqual([
      'https://www.equifax.co.uk/contact-us',
      'https://www.transunionstatreport.co.uk/DisputesFAQs',
      'mailto:',
    ])
  })

  test('the e-mail is the letter, and addressed by the reader', async () => {
    show(sample('single'))
    await openAll(section('Accounts'))
    const mail = within(section('Accounts')).getByRole('link', { name: /Open it in your e-mail app/ })
    const { pathname, searchParams } = new URL(mail.getAttribute('href') ?? '')
    expect(pathname).toBe('')
    expect(searchParams.get('body')).toBe(section('Accounts').querySelector('pre')?.textContent)
  })

  test('a search: the company and its dates, to every agency of the report', async () => {
    show(sample('default'), { agencies: { equifax: 'answered', experian: 'no-file', transunion: 'unavailable' } })
    await openAll(section('Who searched'))
    expect(letter('Who searched')).toEqual([
      '15 November 2026',
      '',
      expect.stringMatching(/^I do not recognise this search on my credit file\./),
      '',
      'Company: Merrowdown Car Finance',
      'Searched on: 19 October 2026, 2 October 2026, 11 May 2025',
      ...sender,
    ])
    const [equifax, experian, next] = within(section('Who searched')).getAllByRole('link')
    expect([equifax?.textContent, experian?.textContent]).toEqual([
      'Equifax: equifax.co.uk/contact-us',
      'Experian: ins.experian.co.uk/contact',
    ])
    expect(next?.textContent).toContain('e-mail')
  })

  test('an agency this version does not know is named without a page', async () => {
    show(sampleReport([sampleAccount({ bureaus: [{ id: 'fourth-bureau', ref: 'F1' }] })]))
    await openAll(section('Accounts'))
    expect(letter('Accounts')).toContain('Fourth bureau reference: F1')
    expect(textOf('Accounts')).toContain('by post:Fourth bureau')
  })
})

test('a report with nothing in it is kind and useful', async () => {
  const container = show(sample('empty'), { agencies: { equifax: 'answered', transunion: 'answered' } })
  expect(container.textContent).toContain('none under these details at Equifax and TransUnion.')
  expect(textOf('No accounts or searches')).toContain('gov.uk/register-to-vote')
  expect(container.textContent).not.toContain('£')
  expect(container.textContent).not.toContain('What the words mean')
  expect(screen.queryByRole('button', { name: 'Hide amounts' })).toBeNull()
  expect(screen.queryByRole('heading', { name: 'Accounts' })).toBeNull()
  // It says to ask an agency, so it says which there are.
  await openAll(section('If something is wrong'))
  expect(textOf('If something is wrong')).toContain('Equifax: equifax.co.uk')
})

describe('where the report comes from', () => {
  test('the foot says when, by whom and under which reference', () => {
    const container = show(sample('default'), { agencies: { equifax: 'answered', experian: 'no-file' } })
    const foot = container.querySelector('.report-foot')?.textContent
    expect(foot).toContain('Prepared on15 November 2026AgenciesEquifaxReferenceVLBV GUDZV L B V G U D Z')
    expect(foot).toContain('No file under these details at Experian.')
    expect(foot).toContain('It is not a score or a decision.')
    expect(foot).not.toContain('does not say which agencies')
  })

  test('a report without a source says so, and names the agencies of its records', () => {
    const { textContent } = show(sample('default'))
    expect(textContent).toContain('This report does not say which agencies were asked.')
    expect(textContent).toContain('AgenciesEquifax')
  })

  test('“Nothing on file” is said only where every agency said so', () => {
    const shown = (agencies: Statuses) => {
      const { textContent } = show(sample('empty'), { agencies })
      act(() => cleanup())
      return textContent
    }
    expect(shown({ equifax: 'no-file', experian: 'no-file' })).toContain('Nothing on file')
    for (const other of ['answered', 'unavailable', 'not-asked']) {
      const text = shown({ equifax: 'no-file', experian: other })
      expect(text).not.toContain('Nothing on file')
      expect(text).toContain('No file under these details at Equifax.')
    }
  })
})

describe('what bureaus leave out or make up', () => {
  test('what is missing is not reported, never zero', async () => {
    const records = [{ ...sampleAccount(), balance: undefined, startDate: '', accountStatus: '', accountType: ' ' }]
    // A bureau may leave out what the wire promises; the page must hold all the same.
    show({ ...sampleReport([], []), consumerData: { records } })
    await openAll(section('Accounts'))
    expect(row(0)).not.toContain('£0.00')
    expect(row(0)).toContain('Balance Not reported')
    expect(row(0)).toContain('Account openedNot reported')
    // Nothing says that it is open.
    expect(textOf('Accounts')).toContain('Ended or not clear 1')
  })

  test('a date that is none is shown as it came', async () => {
    show(sampleReport([sampleAccount({ startDate: '2021-02-31' })]))
    await openAll(section('Accounts'))
    expect(row(0)).toContain('Account opened2021-02-31')
  })

  test('money in the consumer’s favour is said in words', () => {
    show(sampleReport([sampleAccount({ balance: pounds(-12) })]))
    expect(row(0)).toContain('£12.00 in credit')
    expect(row(0)).not.toContain('-')
  })

  test('a company without a name is said to be so', async () => {
    show(sampleReport([sampleAccount({ companyName: '' })]))
    expect(row(0)).toContain('Company not named')
    await openAll(section('Accounts'))
    expect(section('Accounts').querySelector('pre')?.textContent).not.toContain('Company:')
  })

  test('mark-up in names stays text', async () => {
    const container = show(sample('odd'))
    await openAll(container)
    expect(container.querySelector('img, script, [onerror], [onload]')).toBeNull()
    expect(container.textContent).toContain('<img src=x onerror="window.hacked=1">')
  })

  test('unknown types and statuses become readable words', () => {
    show(sample('odd'))
    const text = textOf('Accounts')
    for (const words of ['Debt consolidation', 'In arrears', 'Constructor']) expect(text).toContain(words)
    expect(text).not.toContain('[native code]')
  })
})

test.each([
  [1, 'single', ['H1', 'H2', 'H3']],
  [2, 'single', ['H2', 'H3', 'H4']],
  [2, 'trouble', ['H2', 'H3', 'H4', 'H5']],
  [4, 'trouble', ['H4', 'H5', 'H6']],
])('headings nest below level %i in the %s report', (headingLevel, name, levels) => {
  const container = show(sample(name), { headingLevel })
  const used = [...new Set([...container.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(({ tagName }) => tagName))]
  expect(used).toEqual(levels)
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
  // A share of the whole is an amount as well.
  expect(rows()[0]?.querySelectorAll('.report-repaid .report-amount')).toHaveLength(2)
})

test('Welsh is Welsh throughout', async () => {
  const welsh = createWords('cy', await LOCALES.cy.load())
  const container = show(sample('default'), { words: welsh, agencies: ALL })
  expect(container.textContent).toContain('15 Tachwedd 2026')
  expect(container.textContent).toContain('Hurbwrcas')
  for (const details of container.querySelectorAll('details'))
    act(() => void fireEvent(Object.assign(details, { open: true }), new Event('toggle')))
  drawTheRest(container)
  await waitFor(() => expect(container.textContent).toContain('hysbysiad cywiro'))
  for (const english of ['Prepared', 'Balance', 'Accounts', 'Searches', 'Settled', 'month', 'attention', 'Company'])
    expect(container.textContent).not.toContain(english)
})

test('the lender’s way on stands at the foot, before what can be done with the report', () => {
  const onClose = vi.fn()
  const container = show(sample('single'), { next: <b>Continue to Larkfield</b>, onClose })
  const foot = container.querySelector('.report-foot')
  expect(foot).toBe(container.querySelector('article')?.lastElementChild)
  expect(foot?.firstElementChild?.textContent).toBe('Continue to Larkfield')
  expect(within(container as HTMLElement).getAllByText('Continue to Larkfield')).toHaveLength(1)
  fireEvent.click(screen.getByRole('button', { name: 'Close my report' }))
  expect(onClose).toHaveBeenCalledOnce()
})

test.each([
  [15, 'If you leave, your date of birth opens it again on this device for 15 minutes.'],
  [0, ''],
])('with %i minutes to open it again the foot says “%s”', (minutes, expected) => {
  const opensUntilMs = minutes && SAMPLE_PREPARED_AT_MS + minutes * 60_000
  const container = show(sample('single'), { opensUntilMs })
  const text = container.querySelector('.report-foot')?.textContent ?? ''
  expect(text).toContain(expected)
  if (!minutes) expect(text).not.toContain('date of birth')
})
