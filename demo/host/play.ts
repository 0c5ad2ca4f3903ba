// Plays a journey on the widget of this page, and says how it ended.
import { TEST_MODE_CODE } from '../../contract/limits.ts'
import type { Journey, Step } from '../journeys/journey.ts'
import { describePerson, type PersonName } from '../people.ts'
import { moveClock, readTexts } from '../preview/api.ts'
import { type Consumer, createConsumer } from './consumer.ts'

type WidgetEvent = { name: string; detail: { creditReportId?: string; code?: string } }

export type PlayOptions = {
  person: PersonName
  addressCount: number
  /** The rest before each press. */
  paceMs: number
}

const ENDINGS = ['challenged', 'complete', 'blocked', 'failed', 'expired', 'error']
const WRONG_CODE = '000000'
const WRONG_DATE = '1990-01-01'

export async function play(widget: HTMLElement, journey: Journey, options: PlayOptions): Promise<void> {
  const { person, addressCount, paceMs } = options
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
    const typed = { ...details, ...writeDate(dateOfBirth) }
    if (journey.isUnsent) await consumer.begin(typed)
    else await consumer.apply(typed, addresses.map(writeAddress))
    await consumer.until(() => journey.isUnsent || events.length > 0, 'the widget to say how it went')
    for (const step of journey.steps) await take(step, { journey, consumer, events, dateOfBirth })
  } finally {
    listening.abort()
  }
}

type Playing = { journey: Journey; consumer: Consumer; events: readonly WidgetEvent[]; dateOfBirth: string }

async function take(step: Step, { journey, consumer, events, dateOfBirth }: Playing): Promise<void> {
  switch (step.do) {
    case 'code':
      return consumer.typeCode(step.code === 'wrong' ? WRONG_CODE : await findCode(journey, events))
    case 'resend':
      return consumer.askForText()
    case 'wait':
      await moveClock(journey.stage, step.seconds)
      return consumer.comeBack()
    case 'reload':
      return consumer.reload()
    case 'another-tab':
      sessionStorage.clear()
      return consumer.reload()
    case 'date-of-birth':
      return consumer.open(writeDate(step.date === 'right' ? dateOfBirth : WRONG_DATE))
    case 'close':
      return consumer.close()
  }
}

function writeDate(date: string) {
  const [year = '', month = '', day = ''] = date.split('-')
  return { day, month, year }
}

async function findCode(journey: Journey, events: readonly WidgetEvent[]): Promise<string> {
  if (journey.stage !== 'live') return TEST_MODE_CODE
  const creditReportId = events.findLast(({ name }) => name === 'challenged')?.detail.creditReportId ?? ''
  const [newest] = await readTexts(creditReportId)
  return /\b\d{6}\b/.exec(newest?.body ?? '')?.[0] ?? ''
}

function writeAddress({ movedIn = '', ...address }: { movedIn?: string; [field: string]: string | undefined }) {
  const [movedYear = '', movedMonth = ''] = movedIn.split('-')
  const fields = Object.entries({ ...address, movedYear, movedMonth })
  return Object.fromEntries(fields.flatMap(([name, value]) => (value ? [[name, value]] : [])))
}
