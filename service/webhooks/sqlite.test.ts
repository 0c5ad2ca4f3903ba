import { describeWebhooks } from './webhook-suite.ts'

describeWebhooks('SQLite', async () => ({}))
