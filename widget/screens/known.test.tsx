// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { stillSession } from '../../testing/still-session.ts'
import type { Prefill } from '../fields/answers.ts'
import { type Flow, startFlow } from '../flow/flow.ts'
import { advanceForm } from '../flow/form-steps.ts'
import { type Frame, PLAIN_FRAME } from '../frame.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import { createWatched } from '../watched.ts'
import { Address } from './address.tsx'
import { App } from './app.tsx'
import { Details } from './details.tsx'

addEnglish(enCheck)

afterEach(cleanup)

function flowOf(prefill: Prefill, start: Flow['start'] = 'none'): Flow {
  const event = { type: 'prefill', prefill, by: 'locked' } as const
  return advanceForm(startFlow(36, undefined, start), event)?.flow ?? startFlow(36)
}

const frame = createWatched<Frame>({ ...PLAIN_FRAME, mayFocus: () => false })
const labels = () => screen.getAllByRole('textbox').map(({ id }) => id)
const texts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)

test('what is locked is text; what is missing or not right is asked for', () => {
  const flow = flowOf({ firstName: 'Samira', lastName: '%', dateOfBirth: '1985-03-07', mobileNumber: '0113 496 0000' })
  render(<Details session={stillSession(flow)} screen={{ name: 'details', problems: [] }} flow={flow} />)
  expect(texts()).toEqual(['Samira', '7 March 1985'])
  expect(labels()).toEqual(['middleName', 'lastName', 'mobileNumber', 'email'])
})

test('the same for an address, which cannot be searched for', () => {
  const flow = {
    ...flowOf({ addresses: [{ buildingNumber: '1', thoroughfare: 'High Street', postcode: 'YO1 7HH' }] }),
    findsAddresses: true,
  }
  render(<Address session={stillSession(flow)} screen={{ name: 'address', index: 0, problems: [] }} flow={flow} />)
  expect(texts()).toEqual(['1', 'High Street', 'YO1 7HH'])
  expect(labels()).toEqual(['district', 'townOrCity', 'movedMonth', 'movedYear'])
  expect(screen.queryByText(/find/i)).toBeNull()
})

test('until the start has said who it is about, nothing is asked for', () => {
  const flow = flowOf({}, 'awaited')
  render(<App session={stillSession(flow)} frame={frame} />)
  expect(screen.queryAllByRole('textbox')).toEqual([])
  expect(screen.getByRole('heading').textContent).toBe('One moment')
})
