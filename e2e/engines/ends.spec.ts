// The end of a check, in words, and the facts of a report that are easily shown wrong, on every engine.
import { sampleReport } from '../widget-pages/sample-report.ts'
import { CODE } from '../widget-pages/stage.ts'
import { expect, onEveryEngine } from './visitor.ts'

const NO_TRACE = 'No search was made, so there is nothing about this on your credit file for anyone to see.'
const ASK_LENDER = 'The company you came from can tell you what else you can do.'
/** Letters and digits that cannot be mistaken for one another when they are read out. */
const SHORT_REFERENCE = /^[2-9A-Z]{4} [2-9A-Z]{4}$/
const READ_REFERENCE = `document.querySelector('credit-report-widget').shadowRoot.querySelector('strong.reference')?.textContent`
const LISTEN = `(() => {
  window.heard = []
  addEventListener('credit-report-next', ({ detail }) => heard.push(detail))
})()`

onEveryEngine(
  'a blocked check says what it means, what to do next and a reference to read out',
  async ({ visitor }) => {
    await visitor.open({ branch: 'block' })
    await visitor.toAnswers()
    await visitor.agree()
    await visitor.seeHeading('We cannot carry on with this check online')
    await visitor.seeText('This is not a decision about lending')
    await visitor.seeText(NO_TRACE)
    await visitor.seeText(ASK_LENDER)
    expect(await visitor.evaluate(READ_REFERENCE)).toMatch(SHORT_REFERENCE)
  },
)

onEveryEngine('so does one that three wrong codes have ended', async ({ visitor }) => {
  await visitor.open()
  await visitor.toAnswers()
  await visitor.agree()
  await visitor.seeHeading('Check your phone')
  for (const [code, answer] of [
    ['000000', 'You have 2 attempts left'],
    ['000001', 'You have 1 attempt left, then this check will stop'],
    ['000002', NO_TRACE],
  ] as const) {
    await visitor.fill('Security code', code)
    await visitor.press('Continue')
    await visitor.seeText(answer)
  }
  await visitor.seeHeading('We could not confirm it is you')
  await visitor.seeText(ASK_LENDER)
  expect(await visitor.evaluate(READ_REFERENCE)).toMatch(SHORT_REFERENCE)
})

onEveryEngine('one that is not available leaves nothing, and says whom to ask', async ({ visitor, standIn }) => {
  await visitor.open()
  await visitor.toAnswers()
  standIn.instead('/run-1', { status: 402 })
  await visitor.agree()
  await visitor.seeHeading('This check is not available right now')
  await visitor.seeText(NO_TRACE)
  await visitor.seeText('Ask the company that sent you here for another way.')
})

onEveryEngine('from the report the lender’s button leads on, and tells the page which report', async ({ visitor }) => {
  await visitor.open({ branch: 'allow', attributes: 'next-label="Continue to Larkfield"' })
  await visitor.evaluate(LISTEN)
  await visitor.toAnswers()
  await visitor.agree()
  await visitor.seeHeading('Your credit report')
  await visitor.press('Continue to Larkfield')
  await expect.poll(() => visitor.evaluate('heard')).toEqual([{ creditReportId: 'report-1' }])
  await visitor.press('Close my report')
  await visitor.seeHeading('Your check is complete')
  await visitor.seeNothingOf('£')
})

onEveryEngine('dates are the UK’s, and what is not known is not made up', async ({ visitor, standIn }) => {
  const report = sampleReport('test002')
  const [record] = report.consumerData.records
  const [residency] = report.residencies
  const creditReport = {
    ...report,
    residencies: [{ ...residency, yearsAtAddress: 0, monthsAtAddress: 0 }],
    consumerData: { records: [{ ...record, accountStatus: 'XQ', repaymentPeriod: 52 }] },
    previousSearches: { providers: [{ companyName: 'Harbour Bank', records: [{ date: '2026-07-01T23:30:00Z' }] }] },
  }
  await visitor.open()
  await visitor.toAnswers()
  await visitor.agree()
  await visitor.seeHeading('Check your phone')
  const data = { status: 'complete', creditReportId: 'report-1', creditReport }
  standIn.instead('/otp-challenge', { body: { meta: { test: true }, data } })
  await visitor.fill('Security code', CODE)
  await visitor.press('Continue')
  await visitor.seeHeading('Your credit report')
  await visitor.seeText('As reported: XQ. Ask the agency what this means.')
  await visitor.seeText('on 0 open accounts')
  await visitor.unfold('Who searched')
  await visitor.seeText('2 July 2026')
  await visitor.unfold('About you')
  await visitor.seeText('Time at this address: not reported')
  await visitor.unfold('Details')
  await visitor.seeText('Repayment period')
  await visitor.seeNothingOf('52 months')
})

onEveryEngine('an empty report says who was asked, and has nothing to hide or to explain', async (scene) => {
  const { visitor, standIn } = scene
  await visitor.open()
  await visitor.toAnswers()
  const creditReport = sampleReport('test001')
  const agencies = ['equifax', 'experian'].map((id) => ({ id, status: 'no-file' }))
  const data = { status: 'complete', creditReportId: 'report-1', creditReport, agencies }
  standIn.instead('/run-1', { body: { meta: { test: true }, data } })
  await visitor.agree()
  await visitor.seeHeading('Nothing on file')
  await visitor.seeText('No file under these details at Equifax and Experian.')
  await visitor.seeNothingOf('Hide amounts')
  await visitor.seeNothingOf('Hire purchase')
})
