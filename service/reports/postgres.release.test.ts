import { afterAll, beforeAll } from 'vitest'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../../testing/throwaway-postgres.ts'
import { describeAgencies } from './agencies-suite.ts'
import { describeChallenge } from './challenge-suite.ts'
import { describeErase } from './erase-suite.ts'
import { describeFind } from './find-suite.ts'
import { describeGenerateAgain } from './generate-again-suite.ts'
import { describeGenerate } from './generate-suite.ts'
import { describeMatch } from './match-suite.ts'
import { describePeople } from './people-suite.ts'
import { describeRead } from './read-suite.ts'
import { describeSearchLimit } from './search-limit-suite.ts'
import { describeTimeline } from './timeline-suite.ts'
import { describeUndelivered } from './undelivered-suite.ts'
import { describeVerified } from './verified-suite.ts'

let postgres: ThrowawayPostgres
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
})
afterAll(() => postgres?.stop())

const options = async () => ({
  databaseUrl: await postgres.createDatabase(),
  // What is tested is not how fast a busy machine is.
  environment: { DATABASE_TIMEOUT_MS: '60000' },
})
describeGenerate('PostgreSQL', options)
describeGenerateAgain('PostgreSQL', options)
describeChallenge('PostgreSQL', options)
describeUndelivered('PostgreSQL', options)
describeErase('PostgreSQL', options)
describeVerified('PostgreSQL', options)
describeRead('PostgreSQL', options)
describeSearchLimit('PostgreSQL', options)
describeAgencies('PostgreSQL', options)
describePeople('PostgreSQL', options)
describeMatch('PostgreSQL', options)
describeFind('PostgreSQL', options)
describeTimeline('PostgreSQL', options)
