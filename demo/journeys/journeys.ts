// Every way through the widget, once. The preview lists and plays these, and so do the browser tests: a journey added here
// is shown and tested without another line.
import { codeJourneys } from './code.ts'
import { dataJourneys } from './data.ts'
import { fileJourneys } from './files.ts'
import type { Journey } from './journey.ts'
import { liveJourneys } from './live.ts'
import { networkJourneys } from './network.ts'
import { refusedJourneys } from './refused.ts'

export const journeys: readonly Journey[] = [
  ...dataJourneys,
  ...fileJourneys,
  ...codeJourneys,
  ...liveJourneys,
  ...refusedJourneys,
  ...networkJourneys,
]

export function findJourney(id: string | null): Journey | undefined {
  return journeys.find((journey) => journey.id === id)
}
