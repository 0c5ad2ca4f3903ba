// The consumer's journeys on every engine this machine has. `npm run engines` gets the ones that are missing.
import { expect, mergeTests } from '@playwright/test'
import { type Journey, journeys } from '../journeys.ts'
import { test as stackTest } from '../stack.ts'
import { heardBy, playOn } from './consumer.ts'
import { engineFixtures, engineNames } from './engines.ts'

const test = mergeTests(stackTest, engineFixtures)

// The first test on an engine waits for it to start.

const table: { name: string; journey: Journey }[] = [
  { name: 'allowed at once, and the report shows four accounts', journey: row('default-allow') },
  {
    name: 'a wrong code, another text, the right code, the report',
    journey: {
      ...row('resend-1'),
      steps: [
        { do: 'code', code: 'wrong' },
        { do: 'wait', seconds: 31 },
        { do: 'resend' },
        { do: 'code', code: 'right' },
      ],
    },
  },
  { name: 'nothing typed until the code has expired', journey: row('expired') },
  { name: 'blocked', journey: row('default-block') },
  { name: 'failed after three wrong codes', journey: row('wrong-3') },
  { name: 'live: the session of this browser and the code of a real text', journey: row('live-challenge') },
]

for (const engine of engineNames) {
  for (const { name, journey } of table) {
    test(`${engine}: ${name}`, async ({ openEngine, stack }, { workerIndex }) => {
      const person = await openEngine(engine)
      await playOn(person, stack.shop, journey, `${engine}-${journey.id}-${workerIndex}`)
      await person.seeHeading(journey.ends.heading)
      await expect.poll(async () => (await heardBy(person)).map(({ name }) => name)).toEqual(journey.ends.events)
      if (journey.ends.records) await expect.poll(() => person.evaluate(COUNT_ACCOUNTS)).toBe(journey.ends.records)
    })
  }
}

const COUNT_ACCOUNTS = `document.querySelector('credit-report-widget').shadowRoot.querySelectorAll('[part=account]').length`

function row(id: string): Journey {
  const found = journeys.find((journey) => journey.id === id)
  if (!found) throw new Error(`the demo has no journey ${id}`)
  return found
}
