// A person on a lender's page, in front of any engine: the form in their words, and what the lender's server was sent.
import { expect, mergeTests } from '@playwright/test'
import type { EngineName } from '../../scripts/ensure-engines.mjs'
import { type Answers, HOME, type Open, SAM, test as stage } from '../widget-pages/stage.ts'
import type { StandIn } from '../widget-pages/stand-in-proxy.ts'
import { engineFixtures, engineNames } from './engines.ts'
import { COUNT_TEXT, READ_DESCRIPTION, READ_VALUE } from './find-in-page.ts'
import { type Person, SEE_LIMIT_MS } from './person.ts'

export { expect }

/** The older Chromiums play the journeys; what is tried here does not depend on a version. */
const MAIN: readonly EngineName[] = ['chromium', 'firefox', 'webkit']

type Visitor = ReturnType<typeof createVisitor>
type Scene = { visitor: Visitor; standIn: StandIn }

const test = mergeTests(stage, engineFixtures)
// The first test on an engine waits for it to start.

export function onEveryEngine(name: string, play: (scene: Scene) => Promise<void>): void {
  for (const engine of engineNames.filter((known) => MAIN.includes(known)))
    test(`${engine}: ${name}`, async ({ openEngine, standIn }) => {
      await play({ visitor: createVisitor(await openEngine(engine), standIn), standIn })
    })
}

function createVisitor(person: Person, standIn: StandIn) {
  const patiently = (read: () => Promise<unknown>) => expect.poll(read, { timeout: SEE_LIMIT_MS })
  const run = (script: string, text: string) => person.evaluate(`(function () { ${script} })(${JSON.stringify(text)})`)

  async function fill(answers: Answers): Promise<void> {
    for (const [label, text] of Object.entries(answers)) await person.fill(label, text)
  }

  return {
    ...person,
    fillAll: fill,

    async open({ branch = 'challenge', scenario = 'default', attributes = '', ...options }: Open = {}): Promise<void> {
      const endpoint = `/credit-reports/test/${branch}/${scenario}/run-1`
      await person.goto(standIn.page({ attributes: `endpoint="${endpoint}" ${attributes}`, ...options }))
      await person.seeText('Test mode')
    },
    async giveDetails(changes: Answers = {}): Promise<void> {
      await person.seeHeading('Your details')
      await fill({ ...SAM, ...changes })
      await person.press('Continue')
    },
    async giveAddress(changes: Answers = {}): Promise<void> {
      await fill({ ...HOME, ...changes })
      await person.press('Continue')
    },
    async toAnswers(): Promise<void> {
      await this.giveDetails()
      await person.seeHeading('Where do you live?')
      await this.giveAddress()
      await person.seeHeading('Check your answers')
    },
    async agree(): Promise<void> {
      await person.press('Agree and check my credit report')
    },
    seeDescription: (label: string, text: string) => patiently(() => run(READ_DESCRIPTION, label)).toContain(text),
    seeValue: (label: string, text: string) => patiently(() => run(READ_VALUE, label)).toBe(text),
    seeNothingOf: (text: string) => patiently(() => run(COUNT_TEXT, text)).toBe(0),

    /** Agrees, and says what arrived at the lender's server. */
    async send(): Promise<unknown> {
      await this.agree()
      await person.seeHeading('Check your phone')
      await person.seeText('Step 4 of 4')
      return standIn.seen.findLast(({ method }) => method === 'POST')?.body
    },
  }
}
