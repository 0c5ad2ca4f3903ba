// Test support: which database engines a file named *.engines.test.ts runs on.

type Engine = 'sqlite' | 'postgres'

/** SQLite in `npm test`, PostgreSQL in `npm run test:release`, both where files are named on the command line. */
export const ENGINES: readonly Engine[] =
  process.env.TEST_TIER === 'edit'
    ? ['sqlite']
    : process.env.TEST_TIER === 'release'
      ? ['postgres']
      : ['sqlite', 'postgres']
