// The consumer's part of a journey, for a person in front of any engine.
import { expect } from '@playwright/test'
import { endpointOf, type Journey } from '../journeys.ts'
import type { Person } from './person.ts'

export type Heard = { name: string; detail: { code?: string; creditReportId?: string } }

const DETAILS = {
  'First name': 'Sam',
  Day: '27',
  Month: '3',
  Year: '1985',
  'UK mobile number': '07700 900123',
}
const HOME = {
  'Building number': '10',
  Street: 'Orchard Lane',
  'Town or city': 'Ambleford',
  Postcode: 'SW1A 1AA',
  Month: '5',
  Year: '2019',
}
const WRONG_CODE = '000000'
const TEST_MODE_CODE = '123456'

const LISTEN = `(() => {
  window.heard = []
  for (const name of ['challenged', 'complete', 'blocked', 'failed', 'expired', 'error'])
    document.addEventListener('credit-report-' + name, ({ detail }) => heard.push({ name, detail }))
})()`

export async function playOn(person: Person, shop: string, journey: Journey, label: string): Promise<void> {
  await person.goto(`${shop}/preview/host?${new URLSearchParams({ endpoint: endpointOf(journey, label) })}`)
  await person.evaluate(LISTEN)
  await fill(person, { ...DETAILS, 'Last name': journey.lastName ?? 'Example' })
  await person.press('Continue')
  await person.seeHeading('Where do you live?')
  await fill(person, HOME)
  await person.press('Continue')
  await person.seeHeading('Check your answers')
  await person.press('Agree and check my credit report')

  let codes = 0
  for (const step of journey.steps) {
    if (codes === 0) await person.seeHeading('Check your phone')
    if (step.do === 'code') {
      await typeCode(person, step.code === 'wrong' ? WRONG_CODE : await rightCode(person, shop, journey))
      // Each answer leaves its mark before the next code may be typed.
      if (step.code === 'wrong') await expect.poll(() => countAnswers(person)).toBe(++codes)
    }
    if (step.do === 'wait') await putDownPhone(person, shop, journey.stage, step.seconds)
    if (step.do === 'resend') {
      await person.press('Send a new code')
      await person.seeText('We have sent a new code')
    }
  }
}

export async function heardBy(person: Person): Promise<Heard[]> {
  return (await person.evaluate('heard')) as Heard[]
}

async function fill(person: Person, answers: { [label: string]: string }): Promise<void> {
  for (const [label, text] of Object.entries(answers)) await person.fill(label, text)
}

async function typeCode(person: Person, code: string): Promise<void> {
  await person.fill('Security code', code)
  await person.press('Continue')
}

function countAnswers(person: Person): Promise<unknown> {
  return person.evaluate(
    "performance.getEntriesByType('resource').filter(({ name, responseEnd }) => responseEnd > 0 && name.endsWith('/otp-challenge')).length",
  )
}

/** Moves the clocks, then comes back to the page. */
async function putDownPhone(person: Person, shop: string, stage: string, seconds: number): Promise<void> {
  const response = await fetch(`${shop}/preview/clock`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ stage, seconds }),
  })
  expect(response.ok).toBe(true)
  await person.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
}

/** As the text on the phone has it. */
async function rightCode(person: Person, shop: string, { stage }: Journey): Promise<string> {
  if (stage !== 'live') return TEST_MODE_CODE
  const challenged = (await heardBy(person)).find(({ name }) => name === 'challenged')
  const creditReportId = challenged?.detail.creditReportId ?? ''
  const response = await fetch(`${shop}/preview/texts?${new URLSearchParams({ creditReportId })}`)
  const [newest] = (await response.json()) as { body: string }[]
  return /\b\d{6}\b/.exec(newest?.body ?? '')?.[0] ?? ''
}
