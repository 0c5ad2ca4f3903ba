// A connection that is dead for a while, on every engine: each has its own memory for addresses that failed.
import { readFileSync } from 'node:fs'
import { expect, mergeTests } from '@playwright/test'
import { test as stageTest } from '../widget-pages/stage.ts'
import { engineFixtures, engineNames } from './engines.ts'

const test = mergeTests(stageTest, engineFixtures)

const TRIES_AT_ONCE = 3
const manifest: { [file: string]: unknown } = JSON.parse(readFileSync('dist/widget/manifest.json', 'utf8'))
const chunk = Object.keys(manifest).find((file) => file.startsWith('check.')) ?? 'there is no such chunk'

for (const engine of engineNames)
  test(`${engine}: a chunk that failed six times still loads, and nothing typed is lost`, async ({
    openEngine,
    standIn,
  }) => {
    standIn.instead(`/${chunk}`, ...Array(2 * TRIES_AT_ONCE).fill({ status: 503 }))
    const asked = () => standIn.seen.filter(({ path }) => path.endsWith(chunk)).length
    const person = await openEngine(engine)
    await person.goto(standIn.page({ attributes: 'address-history-months="0"' }))
    for (const [label, text] of Object.entries(SAM)) await person.fill(label, text)
    await person.press('Continue')
    // Fetched ahead when the page is idle, then again when it is needed.
    for (let failed = 0; failed < 2 * TRIES_AT_ONCE; ) {
      await person.seeHeading('Sorry, something went wrong at our end')
      failed = asked()
      await person.press('Try again')
      await expect.poll(asked).toBeGreaterThan(failed)
    }
    await person.seeHeading('Where do you live?')
    for (const [label, text] of Object.entries(HOME)) await person.fill(label, text)
    await person.press('Continue')
    await person.seeHeading('Check your answers')
    await person.seeText('Sam Patel')
    await person.press('Agree and check my credit report')
    await person.seeHeading('Check your phone')
  })

const SAM = {
  'First name': 'Sam',
  'Last name': 'Patel',
  Day: '27',
  Month: '3',
  Year: '1985',
  'UK mobile number': '07700 900123',
}
const HOME = { 'Building number': '10', 'Town or city': 'Leeds', Postcode: 'LS1 4AP' }
