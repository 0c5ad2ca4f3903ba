import { describeChallenge } from './challenge-suite.ts'
import { describeErase } from './erase-suite.ts'
import { describeGenerate } from './generate-suite.ts'

describeGenerate('SQLite', async () => ({}))
describeChallenge('SQLite', async () => ({}))
describeErase('SQLite', async () => ({}))
