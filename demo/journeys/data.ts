import { SCENARIOS, type Scenario } from '../../contract/tenant-proxy.ts'
import { blocked, complete, type Journey, right, verified } from './journey.ts'

const data: { [scenario in Scenario]: { title: string; records: number } } = {
  test001: { title: 'Nothing on file', records: 0 },
  test002: { title: 'One hire purchase', records: 1 },
  test003: { title: 'Three different accounts', records: 3 },
  test004: { title: 'Two settled accounts', records: 2 },
  default: { title: 'Four accounts', records: 4 },
}

const branches = {
  allow: { about: 'No challenge: the report is there at once.', steps: [], ends: complete },
  challenge: { about: 'A code by text, then the report.', steps: [right], ends: verified },
  block: { about: 'The risk check says no; nothing is charged.', steps: [], ends: () => blocked },
} as const

/** Every scenario of test mode on every branch. */
export const dataJourneys: readonly Journey[] = SCENARIOS.flatMap((scenario) =>
  (['allow', 'challenge', 'block'] as const).map((branch) => {
    const { title, records } = data[scenario]
    const { about, steps, ends } = branches[branch]
    return {
      id: `${scenario}-${branch}`,
      group: 'data',
      title: `${title}, ${branch}`,
      about,
      stage: 'plain',
      branch,
      scenario,
      steps,
      ends: ends(records),
    }
  }),
)
