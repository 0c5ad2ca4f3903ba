// A completed check is never lost: its report is locked in another tab and after ten idle minutes, and closed when the
// reader says so.
import type { Page } from '@playwright/test'
import { CODE, createConsumer, expect, test } from './widget-pages/stage.ts'
import type { StandIn } from './widget-pages/stand-in-proxy.ts'

const meta = { test: true, fingerprintSrc: '/v1/fingerprints/device' }
const complete = { status: 'complete', creditReportId: 'report-7' }
const creditReport = { person: { firstName: 'Sam', lastName: 'Patel' } }

function answer(standIn: StandIn, ending: string, ...all: object[]): void {
  standIn.instead(ending, ...all.map((data) => ({ body: { meta, data: { ...complete, ...data } } })))
}

const locked = (attemptsRemaining: number) => ({ closed: true, opening: { expiresInSeconds: 600, attemptsRemaining } })
const inForm = { before: '<form>', after: '</form>', attributes: 'name="creditReportId" required' }
const form = (page: Page) =>
  page.evaluate(() => {
    const found = document.querySelector('form')
    return [found?.checkValidity(), found && new FormData(found).get('creditReportId')]
  })

test('in another tab the check is complete, and its report opens with the date of birth', async ({
  consumer,
  page,
  standIn,
}) => {
  answer(standIn, '/current', locked(3))
  answer(standIn, '/current/open', locked(2), { creditReport })
  await page.goto(standIn.page(inForm))
  await consumer.seeHeading('Your report is locked')
  expect(await form(page)).toEqual([true, 'report-7'])
  await consumer.press('Open my report')
  await expect(consumer.widget.getByRole('alert')).toContainText('Add your date of birth')
  await consumer.fill({ Day: '28', Month: '3', Year: '1985' })
  await consumer.press('Open my report')
  await expect(consumer.widget.getByRole('alert')).toContainText('You have 2 attempts left')
  await consumer.fill({ Day: '27' })
  await consumer.press('Open my report')
  await consumer.seeHeading('Your credit report')
  const sent = standIn.seen.filter(({ path }) => path.endsWith('/current/open'))
  expect(sent.map(({ body }) => body)).toEqual([{ dateOfBirth: '1985-03-28' }, { dateOfBirth: '1985-03-27' }])
})

test('what cannot be opened any more leaves the check complete', async ({ consumer, page, standIn }) => {
  answer(standIn, '/current', { closed: true })
  await page.goto(standIn.page(inForm))
  await consumer.seeHeading('Your check is complete')
  await expect(consumer.widget).toContainText('no one can open it here again')
  expect(await form(page)).toEqual([true, 'report-7'])
  await consumer.widget.getByText('Not you?').click()
  expect(await form(page)).toEqual([true, 'report-7'])
  await consumer.press('Undo it and start again')
  await consumer.seeHeading('Your details')
  expect(await form(page)).toEqual([false, null])
})

test('a report that is closed in one tab cannot be read in another', async ({ consumer, page, context, standIn }) => {
  answer(standIn, '/current', { creditReport }, { creditReport })
  const address = standIn.page()
  await page.goto(address)
  await consumer.seeHeading('Your credit report')
  const other = createConsumer(await context.newPage(), standIn)
  await other.widget.page().goto(address)
  await other.seeHeading('Your credit report')
  await other.press('Close my report')
  await other.seeHeading('Your check is complete')
  await consumer.seeHeading('Your check is complete')
  await expect(consumer.widget).toContainText('no one can open it here again')
})

test('the browser is not asked to offer the date that opens a report', async ({ consumer, page, standIn }) => {
  answer(standIn, '/current', locked(3))
  await page.goto(standIn.page())
  await consumer.seeHeading('Your report is locked')
  for (const name of ['Day', 'Month', 'Year']) await expect(consumer.field(name)).toHaveAttribute('autocomplete', 'off')
})

test('closed with the line down it says so, and is closed when the line is back', async ({
  consumer,
  page,
  context,
}) => {
  await consumer.open()
  await consumer.toCode()
  await consumer.giveCode(CODE)
  await consumer.seeHeading('Your credit report')
  await context.setOffline(true)
  await consumer.press('Close my report')
  await consumer.seeHeading('Your check is complete')
  await expect(consumer.widget).toContainText('We could not reach our server')
  const closed = page.waitForRequest((request) => request.method() === 'DELETE')
  await context.setOffline(false)
  await closed
  await expect(consumer.widget).toContainText('no one can open it here again')
})
