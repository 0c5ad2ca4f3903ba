// The engines of this machine, each started when a test first needs it and stopped with the worker.
import { type BrowserType, chromium, firefox, webkit } from '@playwright/test'
import { type EngineName, readEngines } from '../../scripts/ensure-engines.mjs'
import { test as base } from '../worker.ts'
import { type Person, type RunningEngine, sitAt } from './person.ts'
import { startWebKit } from './webkit.ts'

export type OpenEngine = (name: EngineName) => Promise<Person>

const engines = readEngines()

export const engineNames = Object.keys(engines) as EngineName[]

/** Fixtures for a test of any stage: `openEngine` gives a person with a fresh browser, who leaves with the test. */
export const engineFixtures = base.extend<{ openEngine: OpenEngine }>({
  openEngine: async ({ running }, use, testInfo) => {
    const people: Person[] = []
    await use(async (name) => {
      const engine = running.get(name) ?? start(name)
      running.set(name, engine)
      const person = await (await engine).open()
      people.push(person)
      return person
    })
    for (const person of people) {
      if (testInfo.status !== testInfo.expectedStatus)
        await testInfo.attach('what was on screen', { body: await person.takePicture(), contentType: 'image/png' })
      await person.leave()
    }
  },
})

const TYPES: { [name in EngineName]: BrowserType } = {
  chromium,
  firefox,
  webkit,
  'chromium-116': chromium,
  'chromium-131': chromium,
}

async function start(name: EngineName): Promise<RunningEngine> {
  const engine = engines[name]
  if (!engine) throw new Error(`${name} is not here`)
  if ('webKitDriver' in engine) return startWebKit(engine.webKitDriver)
  const browser = await TYPES[name].launch(engine.launchOptions)
  return {
    async open() {
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'Europe/London',
        reducedMotion: 'no-preference',
      })
      return sitAt(await context.newPage())
    },
    stop: () => browser.close(),
  }
}
