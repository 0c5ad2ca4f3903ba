import { describeChallenge } from './challenge-suite.ts'
import { describeGenerate } from './generate-suite.ts'

describeGenerate('SQLite', async () => ({}))
describeChallenge('SQLite', async () => ({}))
