// The widget as a guest: what it asks of a page, what it leaves behind, what it keeps to itself.
import type { Page } from '@playwright/test'
import { isCurrent } from './echo-nonce.ts'
import { script, style } from './host-pages/host-page.ts'
import { type Consumer, expect, test } from './widget-pages/stage.ts'

for (const browser of ['a browser', 'a browser without modulepreload']) {
  const isOld = browser !== 'a browser'
  const forget = () => {
    const { supports } = DOMTokenList.prototype
    DOMTokenList.prototype.supports = function (token) {
      return token !== 'modulepreload' && supports.call(this, token)
    }
  }

  test(`${browser} does not run a chunk with other bytes than it was built with`, async ({
    consumer,
    page,
    standIn,
  }) => {
    if (isOld) await page.addInitScript(forget)
    await page.route('**/check.*.js*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()};window.tampered = true` })
    })
    await page.goto(standIn.page())
    await consumer.giveDetails()
    await consumer.seeHeading('Sorry, something went wrong at our end')
    expect(await page.evaluate(() => Reflect.get(window, 'tampered'))).toBeUndefined()
  })
}

test('a browser without modulepreload runs chunks under a policy of nonces', async ({ consumer, page, standIn }) => {
  await page.addInitScript(() => {
    DOMTokenList.prototype.supports = () => false
  })
  const headers = { 'Content-Security-Policy': "script-src 'nonce-abc' 'strict-dynamic'; base-uri 'none'" }
  const script = '<script nonce="abc" async src="/credit-reports/widget.js"></script>'
  await page.goto(standIn.page({ headers, script, fingerprint: '' }))
  await consumer.toAnswers()
  expect(await page.locator('head script[type=module]').count()).toBe(0)
})

test.describe('a guest on the page', () => {
  test('leaves no global but window.service, no history, no title, no storage of the person', async ({
    consumer,
    page,
  }) => {
    await page.addInitScript(() => {
      Reflect.set(window, 'before', new Set(Object.getOwnPropertyNames(window)))
    })
    await consumer.open({ attributes: 'address-history-months="0"' })
    const length = await page.evaluate(() => history.length)
    await toCode(consumer)
    // A file on its way is a link in the head until it is there.
    await expect.poll(() => page.locator('head').locator('link, style').count()).toBe(0)
    const after = await page.evaluate(() => ({
      globals: Object.getOwnPropertyNames(window).filter(
        (name) => !Reflect.get(window, 'before').has(name) && name !== 'before',
      ),
      history: history.length,
      title: document.title,
      stored: JSON.stringify({ ...localStorage, ...sessionStorage }),
    }))
    expect(after.globals.filter((name) => name !== 'service')).toEqual([])
    expect(after).toMatchObject({ history: length, title: 'Checkout' })
    expect(after.stored).not.toMatch(/Sam|Patel|1985|07700|447700|LS1/)
  })

  test('asks for one script and nothing else before the first input is there', async ({ consumer, page, standIn }) => {
    await page.addInitScript(() => {
      // Nothing may be asked of a server before the first paint of an input.
      const look = () => {
        if (document.querySelector('credit-report-widget')?.shadowRoot?.querySelector('input'))
          performance.mark('input')
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await consumer.open()
    const early = await page.evaluate(() => {
      const inputAtMs = performance.getEntriesByName('input')[0]?.startTime ?? 0
      return performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < inputAtMs)
        .map(({ name }) => new URL(name).pathname)
    })
    expect(early.filter((path) => path.startsWith('/credit-reports'))).toEqual(['/credit-reports/widget.js'])
    expect(standIn.seen.some(({ path }) => path.endsWith('/current'))).toBe(true)
  })

  test('shifts nothing, where the page has kept its place', async ({ consumer, page, standIn }) => {
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          Reflect.set(window, 'shift', (Reflect.get(window, 'shift') ?? 0) + Reflect.get(entry, 'value'))
      }).observe({ type: 'layout-shift', buffered: true })
    })
    // Not in test mode, whose strip comes with the first answer.
    const heard = page.waitForResponse((response) => isCurrent(response.url()))
    await page.goto(
      standIn.page({
        head: style('credit-report-widget:not(:defined) { display: block; min-height: 1100px }'),
        after: '<p>Footer</p>',
      }),
    )
    await heard
    await consumer.seeHeading('Your details')
    expect(await page.evaluate(() => Reflect.get(window, 'shift') ?? 0)).toBe(0)
  })

  test('two copies of the script and two elements get along', async ({ consumer, page }) => {
    const tag = '<script async src="/credit-reports/widget.js"></script>'
    await consumer.open({ script: tag + tag, after: '<credit-report-widget locale="cy"></credit-report-widget>' })
    await consumer.fill({ 'First name': 'Sam' })
    const second = page.locator('credit-report-widget').nth(1)
    await expect(second.getByRole('heading', { name: 'Eich manylion' })).toBeVisible()
    await expect(second.getByLabel('Enw cyntaf')).toHaveValue('')
  })

  test('keeps what was typed when it is moved, and forgets it when it is removed', async ({ consumer, page }) => {
    await consumer.open({ after: '<aside></aside>' })
    await consumer.fill({ 'First name': 'Sam' })
    await page.evaluate(() =>
      document.querySelector('aside')?.append(document.querySelector('credit-report-widget') ?? ''),
    )
    await expect(consumer.field('First name')).toHaveValue('Sam')
    await consumer.press('Continue')
    await expect(consumer.widget.getByRole('alert')).toBeVisible()
    await takeOut(page)
    await page.waitForFunction(() => Reflect.get(window, 'kept').shadowRoot.querySelector('.root') === null)
    await putBack(page)
    await expect(consumer.field('First name')).toHaveValue('')
  })

  test('keeps everything when it is put back within five seconds, and nothing after that', async ({
    consumer,
    page,
  }) => {
    await page.clock.install()
    await consumer.open()
    await consumer.fill({ 'First name': 'Sam' })
    await takeOut(page)
    await page.clock.runFor(4_000)
    await putBack(page)
    // Counted anew each time.
    await takeOut(page)
    await page.clock.runFor(4_000)
    await putBack(page)
    await page.clock.runFor(4_000)
    await expect(consumer.field('First name')).toHaveValue('Sam')
    await consumer.press('Continue')
    await expect(consumer.widget.getByRole('alert')).toBeVisible()
    await takeOut(page)
    await page.clock.runFor(5_001)
    await putBack(page)
    await expect(consumer.field('First name')).toHaveValue('')
  })

  for (const [name, value, other] of [
    ['endpoint', '/credit-reports/test/challenge/default/same', '/credit-reports/test/challenge/default/other'],
    ['fingerprint-src', '/device.js', '/other-device.js'],
    ['address-history-months', '12', '24'],
  ] as const)
    test(`${name} set to what it is changes nothing; set to something else, it starts over`, async ({
      consumer,
      page,
      standIn,
    }) => {
      await page.goto(standIn.page({ attributes: `${name}="${value}"` }))
      await consumer.fill({ 'First name': 'Sam' })
      const set = (to: string) =>
        consumer.widget.evaluate((element, [key, text]) => element.setAttribute(key, text), [name, to] as const)
      await set(value)
      await expect(consumer.field('First name')).toHaveValue('Sam')
      await expect(consumer.field('First name')).toBeFocused()
      await set(other)
      await expect(consumer.field('First name')).toHaveValue('')
    })

  test('takes every listener, timer and request with it', async ({ consumer, page, standIn }) => {
    await page.addInitScript(() => {
      const live = new Map<string, number>()
      Reflect.set(window, 'live', live)
      const count = (name: string, by: number) => live.set(name, (live.get(name) ?? 0) + by)
      // Playwright listens too, from a script that has no address.
      const isOfPage = () => new Error().stack?.includes(location.origin)
      for (const target of [window, document]) {
        const add = target.addEventListener.bind(target)
        target.addEventListener = (type: string, listener: unknown, options?: AddEventListenerOptions) => {
          const { signal } = options ?? {}
          if (isOfPage()) {
            count(type, 1)
            signal?.addEventListener('abort', () => count(type, -1))
          }
          add(type, listener as EventListener, options)
        }
        const remove = target.removeEventListener.bind(target)
        target.removeEventListener = (type: string, listener: unknown) => {
          if (isOfPage()) count(type, -1)
          remove(type, listener as EventListener)
        }
      }
    })
    await consumer.open({ attributes: 'address-history-months="0"' })
    await toCode(consumer)
    await page.evaluate(() => document.querySelector('credit-report-widget')?.remove())
    await expect
      .poll(() => page.evaluate(() => [...Reflect.get(window, 'live')].filter(([, number]) => number > 0)))
      .toEqual([])
    standIn.seen.length = 0
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.waitForTimeout(300)
    expect(standIn.seen).toEqual([])
  })

  test('a hundred times put in and taken out leaves no element behind', async ({ consumer, page }) => {
    await consumer.open()
    const alive = await page.evaluate(async () => {
      const references: WeakRef<Element>[] = []
      for (let round = 0; round < 100; round++) {
        const element = document.createElement('credit-report-widget')
        document.body.append(element)
        await new Promise((resolve) => setTimeout(resolve, 2))
        element.remove()
        references.push(new WeakRef(element))
      }
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      Reflect.set(window, 'references', references)
      return references.length
    })
    expect(alive).toBe(100)
    const session = await page.context().newCDPSession(page)
    await expect
      .poll(async () => {
        await session.send('HeapProfiler.collectGarbage')
        return page.evaluate(
          () => Reflect.get(window, 'references').filter((one: WeakRef<Element>) => one.deref()).length,
        )
      })
      .toBeLessThan(5)
  })

  test('lets no keystroke out to the page’s shortcuts', async ({ consumer, page }) => {
    await consumer.open({
      head: script(`window.heard = []; for (const type of ['keydown', 'keyup', 'input', 'paste'])
        document.addEventListener(type, (event) => heard.push(event.key ?? type))`),
    })
    await consumer.field('First name').pressSequentially('Sam')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    const heard = await page.evaluate(() => Reflect.get(window, 'heard'))
    expect(heard.filter((key: string) => key !== 'Tab' && key !== 'Escape')).toEqual([])
    expect(heard).toContain('Escape')
  })
})

async function takeOut(page: Page): Promise<void> {
  await page.evaluate(() => {
    const element = document.querySelector('credit-report-widget')
    Reflect.set(window, 'kept', element)
    element?.remove()
  })
}

async function putBack(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector('main')?.append(Reflect.get(window, 'kept')))
}

async function toCode(consumer: Consumer): Promise<void> {
  await consumer.giveDetails()
  await consumer.seeHeading('Where do you live?')
  await consumer.fill({ 'Building number': '10', 'Town or city': 'Leeds', Postcode: 'LS1 4AP' })
  await consumer.press('Continue')
  await consumer.seeHeading('Check your answers')
  await consumer.agree()
  await consumer.seeHeading('Check your phone')
}

test('a browser that cannot read pairs of colours shows the light ones', async ({ page, standIn }) => {
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(standIn.page({ head: style('html { color-scheme: light dark }') }))
  const widget = page.locator('credit-report-widget')
  await expect(widget.getByLabel('First name')).toHaveCSS('border', '1px solid rgb(118, 130, 143)')
  await expect(widget.getByRole('button', { name: 'Continue' })).toHaveCSS('background-color', 'rgb(10, 95, 102)')
  await expect(widget.locator('.panel')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
})
