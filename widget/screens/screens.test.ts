// Every screen is met in a browser: a new one names its heading here, and is visited where axe, narrow windows and
// other languages do.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ScreenName } from '../flow/flow.ts'
import { reportStrings } from '../report/strings.ts'
import { en } from '../strings/en.ts'
import { enCheck } from '../strings/en-check.ts'

const HEADINGS: { [name in ScreenName]: string[] } = {
  details: [en.detailsTitle],
  address: [enCheck.addressTitle, enCheck.addressBeforeTitle],
  answers: [enCheck.checkTitle],
  sending: [enCheck.sendingTitle],
  code: [enCheck.codeTitle],
  mobile: [enCheck.changeNumberTitle],
  report: [reportStrings.title, enCheck.doneTitle],
  locked: [enCheck.lockedTitle],
  closed: [enCheck.doneTitle],
  expired: [enCheck.expiredTitle],
  ended: [en.underAgeTitle, enCheck.blockedTitle, enCheck.failedTitle, enCheck.unavailableTitle],
  trouble: [enCheck.busyTitle, enCheck.offlineTitle, en.brokenTitle, enCheck.sessionTitle],
}

const visits = readFileSync('e2e/accessibility/screens.ts', 'utf8')

test.each(Object.entries(HEADINGS))('%s is visited', (_name, headings) => {
  for (const heading of headings) expect(visits).toContain(`'${heading}'`)
})
