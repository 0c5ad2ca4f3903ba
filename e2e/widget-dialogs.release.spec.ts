// The keyboard in dialogs of the libraries that lenders' pages have: every stop of the widget, both ways, and nothing
// outside.
import type { Page } from '@playwright/test'
import { rolldown } from 'rolldown'
import { expect, test } from './widget-pages/stage.ts'

const FORM = [
  ...['First name', 'Middle names (optional)', 'Last name', 'Day', 'Month', 'Year'],
  ...['UK mobile number', 'I do not have a UK mobile', 'Email address (optional)', 'Continue'],
]
const HELP = '<p slot="help"><a href="/help">Help</a></p>'

/** One file with the library in it, as React's development build. */
async function bundle(name: string): Promise<string> {
  const build = await rolldown({
    input: `e2e/dialogs/${name}.mjs`,
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'iife' })
  return output[0].code
}

/** The focused element, by its label or its words. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement
    return ((element instanceof HTMLInputElement && element.labels?.[0]) || element)?.textContent?.trim()
  })

async function press(page: Page, key: string, times: number): Promise<unknown[]> {
  const seen = []
  for (let time = 0; time < times; time += 1) {
    await page.keyboard.press(key)
    seen.push(await focused(page))
  }
  return seen
}

const rows: { library: string; inside: string[]; html?: string; stops: string[] }[] = ['radix', 'focus-trap'].flatMap(
  (library) => [
    { library, inside: ['Close', 'Widget'], stops: ['Close', ...FORM] },
    { library, inside: ['Widget', 'Close'], stops: [...FORM, 'Close'] },
    { library, inside: ['Widget'], stops: FORM },
    { library, inside: ['Close', 'Widget'], html: HELP, stops: ['Close', ...FORM, 'Help'] },
  ],
)

for (const { library, inside, html = '', stops } of rows)
  test(`${library}: ${inside.join(', ')}${html && ' with a link in a slot'}`, async ({ consumer, page, standIn }) => {
    const code = await bundle(library)
    await page.route('**/dialog.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }))
    const parts = JSON.stringify({ inside, html, attributes: { endpoint: '/credit-reports' } }).replaceAll(
      '<',
      '\\u003c',
    )
    const dialog = `<div id="dialog"></div><script>window.parts = ${parts}</script><script src="/dialog.js"></script>`
    await page.goto(
      standIn.page({ document: ({ scripts }) => `<!doctype html><html lang="en">${scripts}<body>${dialog}` }),
    )
    const isReady = page.waitForResponse('**/current?*')
    await page.getByRole('button', { name: 'Check' }).click()
    await isReady
    await consumer.seeHeading('Your details')
    const [first = ''] = stops
    await expect.poll(() => focused(page)).toBe(first)
    const around = [...stops.slice(1), first]
    expect(await press(page, 'Tab', stops.length)).toEqual(around)
    expect(await press(page, 'Shift+Tab', stops.length)).toEqual([...around.slice(0, -1).reverse(), first])
  })

test('with tabindex="0", as traps that go by attributes need it, Tab stops at the same places', async ({
  consumer,
  page,
}) => {
  await consumer.open({
    attributes: 'tabindex="0"',
    before: '<button>before</button>',
    after: '<button>after</button>',
  })
  await consumer.seeHeading('Your details')
  await page.getByText('before').focus()
  expect(await press(page, 'Tab', FORM.length + 1)).toEqual([...FORM, 'after'])
  expect(await press(page, 'Shift+Tab', FORM.length + 1)).toEqual([...FORM.toReversed(), 'before'])
})
