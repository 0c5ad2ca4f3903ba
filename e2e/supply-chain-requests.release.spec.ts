// Whom a consumer's browser talks to: the lender and the service, and no one else.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { journeys, openJourney, playJourney } from './journeys.ts'
import { expect, test } from './stack.ts'

test('from the first page to the report, every request goes to the lender or the service', async ({
  context,
  page,
  stack,
}, { workerIndex }) => {
  const asked: URL[] = []
  context.on('request', (request) => asked.push(new URL(request.url())))
  page.on('websocket', (socket) => asked.push(new URL(socket.url())))
  await page.goto('/')
  await expect(page.getByLabel('First name')).toBeVisible()

  const journey = journeys.find(({ id }) => id === 'live-challenge')
  if (!journey) throw new Error('the demo has no live journey')
  const heard = await openJourney(page, journey, `requests-${workerIndex}`)
  await playJourney(page, journey, heard)
  await expect(page.getByRole('heading', { name: journey.ends.heading })).toBeVisible()

  const outward = asked.filter(({ protocol }) => protocol !== 'data:' && protocol !== 'blob:')
  expect(new Set(outward.map(({ origin }) => origin))).toEqual(new Set([stack.shop, stack.service]))
  // The whole of it: script, chunks, details, code.
  const paths = outward.map(({ pathname }) => pathname)
  expect(paths.filter((path) => /\/(widget|check\.[\w-]+)\.js$/.test(path))).not.toEqual([])
  expect(paths).toContain('/v1/fingerprints/device')
  expect(paths.some((path) => path.endsWith('/otp-challenge'))).toBe(true)
})

/** Names of vocabularies, which no browser ever fetches. */
const NAMESPACES = ['http://www.w3.org/']

test('no address of anybody else is written into what a browser loads', () => {
  const files = ['dist/widget', 'dist/fingerprint-script'].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.js'))
      .map((file) => join(folder, file)),
  )
  const addresses = files.flatMap((file) => readFileSync(file, 'utf8').match(/\b(?:https?|wss?):\/\/[\w.-]+\/?/g) ?? [])
  expect(addresses.filter((address) => !NAMESPACES.includes(address))).toEqual([])
})
