// The widget on every kind of page a lender might have: the real proxy and the real service behind it.
import type { Page } from '@playwright/test'
import type { Lender } from '../lender/processes.ts'
import { expect, test } from '../lender/stage.ts'
import type { Front } from '../lender/web-server.ts'
import { CODE, type Consumer, createConsumer } from '../widget-pages/stage.ts'
import { arrivalPages } from './arrivals.ts'
import { type HostPage, type Look, script } from './host-page.ts'
import { layoutPages } from './layouts.ts'
import { policyPages } from './policies.ts'
import { scriptPages } from './scripts.ts'
import { stylePages } from './styles.ts'

const GROUPS: [string, HostPage[]][] = [
  ['style sheets', stylePages],
  ['places', layoutPages],
  ['policies', policyPages],
  ['other scripts', scriptPages],
  ['arrivals', arrivalPages],
]

/**
 * Pages whose effect may show only after the first step: the journey is played to the report there, elsewhere to the
 * second step.
 */
const WHOLE = [
  'Bootstrap',
  'a page written from right to left',
  'quirks mode',
  'a modal dialog',
  'the shadow root of another component',
  'a frame that may not send forms',
  'the strictest policy, Trusted Types',
  'nonces and strict-dynamic',
  'a hash and strict-dynamic, and markup that names an upload',
  'a loader that removes its tag, and markup that names an upload',
  'zone.js',
  'a polluted Object.prototype',
  'Prototype.js',
  'frozen built-ins',
  'an error monitor that wraps listeners, timers, requests and shadow roots',
  'a fetch from before there was one',
  'storage that throws',
  'a router that follows links and hashes itself',
  'a framework that puts the element somewhere else at every step',
  'a service worker that answers from its cache first',
  'the tags of the readme',
  'no tag for the fingerprint script at all',
  'a page served as XML',
]

/** Declares a test for each of these pages. */
export function testHostPages(names: readonly string[]): void {
  for (const [group, rows] of GROUPS)
    for (const row of rows)
      if (names.includes(row.name))
        test(`${group}: ${row.name}`, ({ page, front, lender }) => play(row, { page, front, lender }))
}

export const pageNames = GROUPS.flatMap(([, rows]) => rows.map(({ name }) => name))

type Fixtures = { page: Page; front: Front; lender: Lender }

async function play(row: HostPage, { page, front, lender }: Fixtures): Promise<void> {
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
  await toAddress(consumer)
  if (WHOLE.includes(row.name)) {
    await toReport(consumer)
    expectGenerate(front)
  }
  expect(heard).toEqual([])
  expect(await consumer.widget.evaluate(row.holds)).toBe(true)
}

function expectGenerate(front: Front): void {
  const [generate] = front.seen.filter(({ method }) => method === 'POST')
  expect(JSON.parse(generate?.body ?? '')).toMatchObject({
    sessionId: expect.stringMatching(/^[\w-]{32}$/),
    firstName: 'Sam',
    lastName: 'Patel',
    dateOfBirth: '1985-03-27',
    mobileNumber: '+447700900123',
    addresses: [{ type: 'current', ukAddress: { buildingNumber: '10', postcode: 'LS1 4AP' } }],
  })
}

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
async function toAddress(consumer: Consumer): Promise<void> {
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
}

async function toReport(consumer: Consumer): Promise<void> {
  const input = (name: string) => consumer.widget.getByRole('textbox', { name })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
  await input('Security code').pressSequentially(CODE)
  await input('Security code').press('Enter')
  await consumer.seeHeading('Your credit report')
  await expect(consumer.widget).toContainText('Larkfield Motor Finance')
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

/** Checks that the widget looks like itself: its own sizes, directions and colours, and room for a finger. */
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
