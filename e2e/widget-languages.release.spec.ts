// Another language, on every screen: nothing stays in English, nothing is cut off, and nothing typed is lost.
import type { Page } from '@playwright/test'
import { ALL_TAGS, findViolations } from './accessibility/axe.ts'
import { findTooWide } from './accessibility/checks.ts'
import { groups } from './accessibility/screens.ts'
import { findEnglish } from './odd-words.ts'
import { sampleReport } from './widget-pages/sample-report.ts'
import { type Consumer, expect, HOME, SAM, speak, test } from './widget-pages/stage.ts'

const NO_MARGIN = '<style>body { margin: 0 }</style>'

for (const { name: group, open, visits } of groups)
  test(`${group}: in Welsh and in English made strange no word stays plain, and none is cut off`, async ({
    consumer,
    standIn,
    page,
  }) => {
    test.slow()
    await page.setViewportSize({ width: 320, height: 640 })
    await consumer.open({ head: NO_MARGIN, ...open })
    await page.addScriptTag({ path: 'dist/demo/add-accented.js', type: 'module' })
    for (const { name, go } of visits) {
      await go({ consumer, standIn, page })
      const typed = await readInputs(consumer)
      for (const locale of ['cy', 'en-XA']) {
        await speak(consumer, locale)
        expect.soft(await findTooWide(page), `${name}, ${locale}`).toEqual([])
        expect.soft(await findCutOff(page), `${name}, ${locale}`).toEqual([])
        const plain = locale === 'cy' ? findEnglish(consumer.widget) : findPlainWords(consumer)
        expect.soft(await plain, `${name}, ${locale}`).toEqual([])
      }
      await speak(consumer, 'en-GB')
      expect(await readInputs(consumer), name).toEqual(typed)
    }
  })

test.describe('where the lender offers a choice of languages', () => {
  test('the consumer can change it at any moment, and what they typed stays', async ({ consumer, page }) => {
    await consumer.open({ attributes: 'locales="en-GB cy"' })
    const choice = (name: string) => consumer.widget.getByRole('button', { name, exact: true })
    await expect(choice('English')).toHaveAttribute('aria-pressed', 'true')
    await consumer.fill({ 'First name': 'Sam', Day: '27' })
    await choice('Cymraeg').focus()
    await page.keyboard.press('Enter')
    await consumer.seeHeading('Eich manylion')
    await expect(choice('Cymraeg')).toBeFocused()
    await expect(choice('Cymraeg')).toHaveAttribute('aria-pressed', 'true')
    await expect(consumer.widget.getByLabel('Enw cyntaf')).toHaveValue('Sam')
    await expect(consumer.widget.getByLabel('Diwrnod')).toHaveValue('27')
    expect(await findViolations(page, { within: 'credit-report-widget', tags: ALL_TAGS })).toEqual([])

    await choice('English').click()
    await consumer.toReport()
    await choice('Cymraeg').click()
    await consumer.seeHeading('Eich adroddiad credyd')
  })

  test('what they chose goes with what they agreed to', async ({ consumer, standIn }) => {
    await consumer.open({
      attributes: 'locales="en-GB cy" address-history-months="0"',
      inside: '<span slot="consent" data-version="v7">Rwy’n cytuno</span>',
    })
    await consumer.giveDetails()
    await consumer.fill({ 'Building number': '10', 'Town or city': 'Leeds', Postcode: 'LS1 4AP' })
    await consumer.press('Continue')
    await consumer.seeHeading('Check your answers')
    await consumer.press('Cymraeg')
    await consumer.widget.getByRole('checkbox').check()
    await consumer.press('Cytuno')
    await consumer.seeHeading('Edrychwch ar eich ffôn')
    const sent = standIn.seen.find(({ method }) => method === 'POST')
    expect(sent?.body).toMatchObject({ consent: { version: 'v7', locale: 'cy' } })
  })

  test('a language there is no word of is not offered, and one alone is no choice', async ({ consumer, page }) => {
    await consumer.open({ attributes: 'locales="fr cy"' })
    await consumer.seeHeading('Eich manylion')
    await expect(consumer.widget.getByRole('button', { name: 'Cymraeg', exact: true })).toHaveCount(0)
    await page.locator('credit-report-widget').evaluate((element) => element.setAttribute('locales', 'en-GB cy'))
    await consumer.seeHeading('Your details')
    await expect(consumer.widget.getByRole('button', { name: 'Cymraeg', exact: true })).toBeVisible()
  })

  test('words that cannot be loaded leave the language as it is', async ({ consumer, page }) => {
    await page.route('**/cy.*.js*', (route) => route.abort())
    await consumer.open({ attributes: 'locales="en-GB cy"' })
    const heard = page.evaluate(
      () => new Promise((resolve) => addEventListener('credit-report-error', resolve, { once: true })),
    )
    await consumer.press('Cymraeg')
    await heard
    await consumer.seeHeading('Your details')
    await page.unroute('**/cy.*.js*')
    await consumer.press('Cymraeg')
    await consumer.seeHeading('Eich manylion')
  })
})

function readInputs(consumer: Consumer): Promise<string[]> {
  return consumer.widget.locator('input').evaluateAll((inputs) => inputs.map((input) => Reflect.get(input, 'value')))
}

/** Words in plain letters that are not the consumer's or the bureaus' own. */
async function findPlainWords(consumer: Consumer): Promise<string[]> {
  const closed = consumer.widget.locator('.report details:not([open]) > summary')
  while ((await closed.count()) > 0) await closed.first().click()
  const text = await consumer.widget.evaluate((element) => {
    const parts = [...(element.shadowRoot?.querySelectorAll('*') ?? [])]
    const spoken = parts.flatMap((part) => [part.getAttribute('aria-label'), part.getAttribute('title')])
    const texts = parts.flatMap((part) => [...part.childNodes].filter((node) => node instanceof Text))
    return [...texts.map((node) => node.data), ...spoken].join('\n')
  })
  const { person, residencies, consumerData, previousSearches } = sampleReport('default')
  // Of a record the codes too: a language has its own words for those it knows, and English has them from the code
  // itself.
  const codes = consumerData.records.map(({ accountType, accountStatus, companyType }) => [
    accountType,
    accountStatus,
    companyType,
  ])
  const lenders = [...consumerData.records, ...previousSearches.providers].map(({ companyName }) => companyName)
  const own = [SAM, HOME, person, residencies, lenders, codes, 'r-1 req-stand-in report- Equifax Experian TransUnion']
  const known = new Set(
    JSON.stringify(own)
      .toLowerCase()
      .match(/[a-z]+/g),
  )
  const words = text.match(/(?<![\p{L}\d*@.-])[A-Za-z]{3,}(?![\p{L}@.])/gu) ?? []
  // Capitals alone are the reference of a report.
  return [...new Set(words)].filter((word) => !known.has(word.toLowerCase()) && !/^[A-Z]+$/.test(word))
}

/** Boxes with more in them than they show. */
function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('credit-report-widget')?.shadowRoot
    return [...(root?.querySelectorAll<HTMLElement>('.panel *:not(svg *, .unseen, .unseen *, input)') ?? [])]
      .filter((element) => /hidden|clip/.test(getComputedStyle(element).overflow) && element.checkVisibility())
      .filter(
        (element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1,
      )
      .map((element) => `${element.tagName}.${element.className} ${element.textContent}`)
  })
}
