// Test support: a person and their addresses on the form, and where the events lead.
import type { Typed } from '../widget/fields/typed.ts'
import { type Flow, type FormEvent, startFlow } from '../widget/flow/flow.ts'
import { advanceForm } from '../widget/flow/form-steps.ts'

export const today = '2026-11-15'
export const sam: Typed = {
  firstName: 'Sam',
  lastName: 'Patel',
  day: '27',
  month: '3',
  year: '1985',
  mobileNumber: '07700900123',
}
export const home = (movedYear: string, buildingNumber = '10'): Typed => ({
  buildingNumber,
  townOrCity: 'Leeds',
  postcode: 'LS1 4AP',
  movedMonth: '1',
  movedYear,
})

/** Sends the events one after another and gives the flow they lead to. */
export const followFrom = (start: Flow, ...events: FormEvent[]): Flow =>
  events.reduce((flow, event) => advanceForm(flow, event)?.flow ?? flow, start)
export const follow = (...events: FormEvent[]): Flow => followFrom(startFlow(36), ...events)

export const details = { type: 'details', typed: sam, today } satisfies FormEvent
export const address = (movedYear: string, buildingNumber?: string): FormEvent => ({
  type: 'address',
  typed: home(movedYear, buildingNumber),
  today,
})
