// The fingerprint script on every engine: the page's function is called with a session the service has stored. `npm run
// engines` tries every hostile page; `npm test` the first of them, because the rest run in Chromium anyway.
import { mergeTests } from '@playwright/test'
import { hostilePages } from '../fingerprint-pages/hostile-pages.ts'
import { meetHostilePage } from '../fingerprint-pages/open-hostile-page.ts'
import type { Case } from '../fingerprint-pages/servers.ts'
import { test as stageTest } from '../fingerprint-pages/stage.ts'
import { engineFixtures, engineNames } from './engines.ts'
import type { Person } from './person.ts'

const test = mergeTests(stageTest, engineFixtures)

// The first test on an engine waits for it to start.

const rows = process.env.EVERY_ENGINE ? hostilePages : hostilePages.slice(0, 1)

for (const engine of engineNames) {
  for (const row of rows) {
    test(`${engine}: ${row.name}`, async ({ openEngine, scene, stage }) => {
      const person = await openEngine(engine)
      await meetHostilePage(row.spoilsDrivers ? lookFromOutside(person, scene) : person, row, { scene, stage })
    })
  }
}

/** Opens pages in a frame, so that what looks into them runs on ground that the page has not touched. */
function lookFromOutside(person: Person, scene: Case): Pick<Person, 'goto' | 'evaluate'> {
  return {
    goto: (address) => person.goto(scene.serve(`<!doctype html>${COPY}<iframe src="${address}"></iframe>`)),
    evaluate: (expression) => person.evaluate(`copy(frames[0].eval(${JSON.stringify(expression)}))`),
  }
}

// Objects from the frame have the frame's prototypes.
const COPY = `<script>
  function copy(value) {
    if (Object(value) !== value) return value
    const entries = Object.getOwnPropertyNames(value).filter((name) => name !== 'length')
    return Object.assign('length' in value ? [] : {}, Object.fromEntries(entries.map((name) => [name, copy(value[name])])))
  }
</script>`
