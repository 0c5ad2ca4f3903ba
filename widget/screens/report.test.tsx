// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { stillSession } from '../../testing/still-session.ts'
import { startFlow } from '../flow/flow.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import { ReportScreen } from './report.tsx'

addEnglish(enCheck)
afterEach(cleanup)

const session = stillSession(startFlow(36))

function show(statuses: { [id: string]: string } | undefined): string {
  const agencies = statuses && Object.entries(statuses).map(([id, status]) => ({ id, status }))
  const data = { summary: { openAccounts: 1, settledAccounts: 0, searches: 2 }, ...(agencies && { agencies }) }
  const screen = { name: 'report' as const, creditReportId: 'r1', data, preparedAtMs: 0 }
  return render(<ReportScreen session={session} screen={screen} test={false} />).container.textContent ?? ''
}

test.each<[string, { [id: string]: string } | undefined, string[], string]>([
  [
    'every agency that answered',
    { equifax: 'answered', experian: 'answered', transunion: 'answered' },
    ['These figures come from Equifax, Experian and TransUnion.'],
    'did not answer',
  ],
  [
    'an agency that did not answer, and what that means',
    { equifax: 'answered', experian: 'unavailable', transunion: 'not-asked' },
    ['come from Equifax.', 'Experian and TransUnion did not answer. There may be accounts that are not counted here.'],
    'No file',
  ],
  [
    'an agency without a file',
    { equifax: 'answered', experian: 'no-file' },
    ['come from Equifax.', 'No file under these details at Experian.'],
    'did not answer',
  ],
  ['a status of a newer service as no answer', { equifax: 'newer' }, ['Equifax did not answer.'], 'come from'],
  ['that the agencies are not known', undefined, ['We do not know which agencies'], 'did not answer'],
])('a summary names %s', (_what, statuses, said, unsaid) => {
  const text = show(statuses)
  for (const words of said) expect(text).toContain(words)
  expect(text).not.toContain(unsaid)
})
