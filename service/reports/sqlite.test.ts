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

describeGenerate('SQLite', async () => ({}))
describeGenerateAgain('SQLite', async () => ({}))
describeChallenge('SQLite', async () => ({}))
describeUndelivered('SQLite', async () => ({}))
describeErase('SQLite', async () => ({}))
describeVerified('SQLite', async () => ({}))
describeRead('SQLite', async () => ({}))
describeSearchLimit('SQLite', async () => ({}))
describeAgencies('SQLite', async () => ({}))
describePeople('SQLite', async () => ({}))
describeMatch('SQLite', async () => ({}))
describeFind('SQLite', async () => ({}))
describeTimeline('SQLite', async () => ({}))
