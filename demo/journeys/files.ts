import type { StageName } from '../stages.ts'
import { complete, type Journey } from './journey.ts'

const files: [stage: StageName, title: string, about: string, records: number][] = [
  ['arrears', 'Arrears and defaults', 'Seven accounts on which payments went wrong.', 7],
  ['hundreds', '300 accounts', 'Hundreds of accounts and dozens of searches.', 300],
  ['gaps', 'Missing and absurd values', 'Fields that are absent, null, too long or not what they should be.', 4],
]

/** Credit files that are no pleasure to show. */
export const fileJourneys: readonly Journey[] = files.map(([stage, title, about, records]) => ({
  group: 'files',
  id: `file-${stage}`,
  title,
  about,
  stage,
  branch: 'allow',
  scenario: 'default',
  steps: [],
  ends: complete(records),
}))
