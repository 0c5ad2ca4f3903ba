// The whole journey, details to report, on every kind of page a lender might have: the real proxy and the real service behind it.
import type { Page } from '@playwright/test'
import { arrivalPages } from './host-pages/arrivals.ts'
import { type HostPage, type Look, script } from './host-pages/host-page.ts'
import { layoutPages } from './host-pages/layouts.ts'
import { policyPages } from './host-pages/policies.ts'
import { scriptPages } from './host-pages/scripts.ts'
import { stylePages } from './host-pages/styles.ts'
import { expect, test } from './lender/stage.ts'
import { CODE, type Consumer, createConsumer } from './widget-pages/stage.ts'

const groups: [string, HostPage[]][] = [
  ['style sheets', stylePages],
  ['places', layoutPages],
  ['policies', policyPages],
  ['other scripts', scriptPages],
  ['arrivals', arrivalPages],
]

for (const [group, rows] of groups)
  for (const row of rows)
    test(`${group}: ${row.name}`, async ({ page, front, lender }) => {
      const heard = await listen(page)
      const { service, fingerprint, fingerprintIntegrity } = lender
      const where = { origin: front.origin, service: service.url, fingerprintIntegrity }
      const options = typeof row.page === 'function' ? row.page(where) : row.page
      for (const [path, code] of Object.entries(row.files ?? {})) front.script(path, code)

      const consumer = createConsumer(
        page,
        {
          page(opened) {
            const address = front.page({ fingerprint, ...opened })
            return row.frame === undefined ? address : front.page({ document: () => around(row, address) })
          },
        },
        row.frame === undefined ? page : page.frameLocator('iframe'),
      )
      await consumer.open(options)
      await row.enter?.(page)
      await consumer.seeHeading('Your details')
      expect(await readLook(consumer)).toEqual({ ...USUAL, ...row.looks })
      await toReport(consumer)

      const [generate] = front.seen.filter(({ method }) => method === 'POST')
      expect(JSON.parse(generate?.body ?? '')).toMatchObject({
        sessionId: expect.stringMatching(/^[\w-]{32}$/),
        firstName: 'Sam',
        lastName: 'Patel',
        dateOfBirth: '1985-03-27',
        mobileNumber: '+447700900123',
        addresses: [{ type: 'current', ukAddress: { buildingNumber: '10', postcode: 'LS1 4AP' } }],
      })
      expect(heard).toEqual([])
      expect(await consumer.widget.evaluate(row.holds)).toBe(true)
    })

test('there are more than forty kinds of page, each with a name of its own', () => {
  const names = groups.flatMap(([, rows]) => rows.map(({ name }) => name))
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(40)
})

/** A page with another in a frame. */
function around({ frame, isFrameWritten }: HostPage, address: string): string {
  const write = `fetch('${address}').then((page) => page.text()).then((html) => { document.querySelector('iframe').srcdoc = html })`
  const [source, code] = isFrameWritten ? ['', script(write)] : [`src="${address}"`, '']
  return `<!doctype html><title>Around</title><iframe ${frame} ${source}></iframe>${code}`
}

/** Everything the page complains about: errors, and what its policy forbids. */
async function listen(page: Page): Promise<string[]> {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(error.message))
  await page.exposeFunction('tellViolation', (what: string) => heard.push(what))
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      Reflect.get(window, 'tellViolation')(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  return heard
}

/** Most of it is known to the page; the first name and the code are typed, key by key. */
async function toReport(consumer: Consumer): Promise<void> {
  await consumer.widget.evaluate((element) => {
    Object.assign(element, {
      prefill: {
        lastName: 'Patel',
        dateOfBirth: '1985-03-27',
        mobileNumber: '07700900123',
        addresses: [{ buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP', movedIn: '2012-05' }],
      },
    })
  })
  // By role: in a page of XML, Playwright does not know a label.
  const input = (name: string) => consumer.widget.getByRole('textbox', { name })
  await input('First name').pressSequentially('Sam')
  await consumer.press('Continue')
  await consumer.seeHeading('Where do you live?')
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  await input('Security code').pressSequentially(CODE)
  await input('Security code').press('Enter')
  await consumer.seeHeading('Your credit report')
  await expect(consumer.widget).toContainText('Sam Patel')
}

const USUAL: Look = {
  fontSize: '16px',
  letterSpacing: 'normal',
  textTransform: 'none',
  direction: 'ltr',
  writingMode: 'horizontal-tb',
  color: 'rgb(23, 33, 46)',
  fontStyle: 'normal',
  textAlign: 'start',
  button: 'rgb(10, 95, 102)',
}

/** Whether the widget looks like itself: its own sizes, directions and colours, and room for a finger. */
async function readLook({ widget }: Consumer): Promise<Look> {
  const { inputHeight, width, ...look } = await widget.evaluate((element) => {
    const find = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? document.body
    const { fontSize, letterSpacing, textTransform, direction, writingMode, color, fontStyle, textAlign } =
      getComputedStyle(find('label'))
    return {
      ...{ fontSize, letterSpacing, textTransform, direction, writingMode, color, fontStyle, textAlign },
      button: getComputedStyle(find('.button')).backgroundColor,
      inputHeight: find('.input').offsetHeight,
      width: find('.panel').offsetWidth,
    }
  })
  expect(inputHeight).toBeGreaterThanOrEqual(48)
  expect(width).toBeGreaterThan(200)
  return look
}
