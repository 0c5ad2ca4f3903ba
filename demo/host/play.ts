// Plays a journey on the widget of this page, and says how it ended.
import { TEST_MODE_CODE } from '../../contract/limits.ts'
import type { Journey, Step } from '../journeys/journey.ts'
import { describePerson, type PersonName } from '../people.ts'
import { moveClock, readTexts } from '../preview/api.ts'
import { type Consumer, createConsumer } from './consumer.ts'

export type Played = { heading: string; events: WidgetEvent[] }
type WidgetEvent = { name: string; detail: { creditReportId?: string; code?: string } }

export type PlayOptions = {
  person: PersonName
  addressCount: number
  /** How long to rest before each press. @default 0 */
  paceMs?: number
  /** One of many frames: it must not scroll the page around it to itself. @default false */
  isOneOfMany?: boolean
}

const ENDINGS = ['challenged', 'complete', 'blocked', 'failed', 'expired', 'error']
const WRONG_CODE = '000000'

export async function play(widget: Element, journey: Journey, options: PlayOptions): Promise<Played> {
  const { person, addressCount, paceMs = 0, isOneOfMany = false } = options
  if (isOneOfMany) focusWithoutScrolling()
  const events: WidgetEvent[] = []
  const listening = new AbortController()
  for (const name of ENDINGS) {
    widget.addEventListener(
      `credit-report-${name}`,
      (event) => events.push({ name, detail: event instanceof CustomEvent ? event.detail : {} }),
      { signal: listening.signal },
    )
  }
  try {
    const consumer = createConsumer(widget, { paceMs })
    const { addresses = [], dateOfBirth = '', ...details } = describePerson(person, addressCount, journey.lastName)
    const [year = '', month = '', day = ''] = dateOfBirth.split('-')
    await consumer.apply({ ...details, day, month, year }, addresses.map(writeAddress))
    await consumer.until(() => events.length > 0, 'the widget to say how it went')
    for (const step of journey.steps) await take(step, journey, consumer, events)
    await consumer.until(() => events.length >= journey.ends.events.length, `“${journey.ends.events.join(', ')}”`)
    // Who watches sees for themselves, in whatever language.
    if (isOneOfMany) await consumer.until(() => hasSettled(consumer, journey), 'the last screen')
    return { heading: consumer.heading(), events }
  } finally {
    listening.abort()
  }
}

async function take(step: Step, journey: Journey, consumer: Consumer, events: readonly WidgetEvent[]): Promise<void> {
  switch (step.do) {
    case 'code':
      return consumer.typeCode(step.code === 'wrong' ? WRONG_CODE : await findCode(journey, events))
    case 'resend':
      return consumer.askForText()
    case 'wait':
      await moveClock(journey.stage, step.seconds)
      return consumer.comeBack()
  }
}

async function findCode(journey: Journey, events: readonly WidgetEvent[]): Promise<string> {
  if (journey.stage !== 'live') return TEST_MODE_CODE
  const creditReportId = events.findLast(({ name }) => name === 'challenged')?.detail.creditReportId ?? ''
  const [newest] = await readTexts(creditReportId)
  return /\b\d{6}\b/.exec(newest?.body ?? '')?.[0] ?? ''
}

/** Focus scrolls every page around a frame, and the widget rightly gives focus to each new screen. */
function focusWithoutScrolling(): void {
  const { focus } = HTMLElement.prototype
  HTMLElement.prototype.focus = function (options) {
    focus.call(this, { ...options, preventScroll: true })
  }
}

/** The report's own file may still be loading when its event comes, and after an error the server may be asked how things stand. */
function hasSettled(consumer: Consumer, { ends }: Journey): boolean {
  const isLate = ['complete', 'error'].includes(ends.events.at(-1) ?? '')
  return !isLate || consumer.heading() === ends.heading
}

function writeAddress({ movedIn = '', ...address }: { movedIn?: string; [field: string]: string | undefined }) {
  const [movedYear = '', movedMonth = ''] = movedIn.split('-')
  const fields = Object.entries({ ...address, movedYear, movedMonth })
  return Object.fromEntries(fields.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
