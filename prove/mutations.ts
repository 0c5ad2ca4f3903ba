// Checks that tests notice changes: a random sample of one-line changes to production code, one at a time. Survivors
// are printed for a person to read: some change nothing that a test could see. `MUTATE=kit/seal npm run prove --
// mutations` tries every change of the files whose path begins so.
import { readdirSync, readFileSync } from 'node:fs'
import { createCompiler } from './mutations/compiler.ts'
import { findMutants, type Mutant } from './mutations/find-mutants.ts'
import { tryMutants, type Verdict } from './mutations/try-mutants.ts'

/** Timeouts, retries and webhooks of a check are tested on the whole service. */
const WHOLE_SERVICE = ['service/sweeper', 'plugins/live-providers/live', 'plugins/webhooks/webhook']
const POSTGRES = 'plugins/postgres/postgres'
const SQLITE_ALONE = { TEST_ENGINE: 'sqlite' }
const OF_POSTGRES = ['postgres', 'pooler', 'migration-role'].map((name) => `plugins/postgres/${name}.release`)
const OF_BACKUPS = ['backup', 'rewrap'].map((name) => `plugins/admin/${name}.release`)
const OF_MOVES = ['plugins/postgres/move-command.release']

/**
 * The rooms: the path prefix of the changed code, and of the tests that should notice. A file is in the room with the
 * longest prefix.
 */
const ROOMS: { [beginning: string]: readonly string[] } = {
  'tenant-proxy/': ['tenant-proxy/'],
  'kit/': ['kit/', 'service/check/challenge.test'],
  'widget/flow/': ['widget/flow/'],
  'service/': ['service/', 'testing/trace'],
  ...roomsOf('service', ['devices', 'store', 'tokens']),
  ...roomsOf('service', ['check', 'ledger', 'providers', 'texts'], WHOLE_SERVICE),
  ...roomsOf('service', ['http'], ['portal/identity/proof.test', 'portal/authorisation.test']),
  ...roomsOf('plugins', ['audit', 'clients', 'look-up', 'metrics', 'people', 'refusals', 'statement', 'stats']),
  ...roomsOf('plugins', ['limits', 'live-providers', 'webhooks'], WHOLE_SERVICE),
  ...roomsOf('plugins', ['admin'], OF_BACKUPS),
  'plugins/postgres/move': OF_MOVES,
  'plugins/postgres/compare-tables': ['plugins/postgres/compare-tables.release'],
  [POSTGRES]: [...OF_POSTGRES, `${POSTGRES}-`, 'plugins/audit/', 'plugins/limits/text-claims'],
}
/** Tests that reach every room by its acts, roles and commands: too slow for each change, run for those left alive. */
const DOORS = [
  ...['acts.engines', 'authorisation.test', 'grants.test', 'roles.test'].map((name) => `portal/${name}`),
  ...['admin/', 'clients/', 'live-providers/receipts', 'look-up/'].map((name) => `plugins/${name}`),
  'hosted/decide-link.test',
  'service/plugin.test',
]
/** These run built processes, which a changed module does not reach. */
const LEFT_OUT = /\/(bad-set-up|with-service|address-recipes)\.test\.ts$/
/** So do most of these, and the others are slow: only where a room names them. */
const RELEASE = '.release'
const SAMPLE = 600
const KILLED_SHARE_MIN = 0.92

export const about = {
  title: 'Mutation testing',
  text: 'One operator, condition, literal, return value or statement at a time is changed in the service, the kit, the tenant proxy and the widget’s state machine: a random sample.',
  meanings: {
    mutants: 'changes',
    killed: 'detected by a test',
    'timed out': 'endless loop: detected too',
    survived: 'not detected',
    'not compiled': 'more that no test detected and the compiler refuses: not in the share',
    'noticed %': 'must be 92 or more',
  },
}

export async function run({ scale }: { scale: number }) {
  const only = process.env.MUTATE
  const all = Object.entries(ROOMS).map(([beginning, testsIn]) => ({
    // A room that has nothing to do with PostgreSQL would wait for it most of the time.
    environment: beginning === POSTGRES ? {} : SQLITE_ALONE,
    testsIn,
    mutants: mutantsOf(beginning, only),
  }))
  const untested = all.find(({ testsIn }) => testsOf(testsIn).length === 0)
  if (untested) throw new Error(`no test is named ${untested.testsIn.join(' or ')}`)
  const total = all.reduce((sum, { mutants }) => sum + mutants.length, 0)
  const share = Math.min(1, only === undefined ? (SAMPLE * scale) / total : scale)
  const verdicts: Verdict[] = []
  const alive: Mutant[] = []
  let refused = 0
  const compiler = createCompiler()
  const waiting = [...all]
  async function tryRooms(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const mutants = next.mutants.filter(() => Math.random() < share)
      if (mutants.length === 0) continue
      const { environment, testsIn } = next
      for (const verdict of await tryMutants({ tests: testsOf(testsIn), mutants, environment })) {
        if (verdict.outcome !== 'survived') verdicts.push(verdict)
        else if (await compiler.refuses(verdict.mutant)) refused += 1
        else alive.push(verdict.mutant)
      }
    }
  }
  async function tryDoors(mutants: Mutant[]): Promise<void> {
    if (mutants.length === 0) return
    for (const verdict of await tryMutants({ tests: testsOf(DOORS), mutants, environment: SQLITE_ALONE })) {
      verdicts.push(verdict)
      if (verdict.outcome === 'survived') process.stdout.write(`SURVIVED ${describe(verdict.mutant)}\n`)
    }
  }
  try {
    // Two at a time: each waits for its tests nearly as long as it works.
    await Promise.all([tryRooms(), tryRooms()])
    const half = Math.ceil(alive.length / 2)
    await Promise.all([tryDoors(alive.slice(0, half)), tryDoors(alive.slice(half))])
  } finally {
    compiler.close()
  }
  const count = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const noticed = 1 - count('survived') / verdicts.length
  return {
    ok: verdicts.length > 0 && noticed >= KILLED_SHARE_MIN,
    counts: {
      mutants: verdicts.length,
      killed: count('killed'),
      'timed out': count('timed out'),
      survived: count('survived'),
      'not compiled': refused,
      'noticed %': Math.floor(noticed * 100),
    },
  }
}

function roomsOf(
  folder: string,
  names: readonly string[],
  more: readonly string[] = [],
): { [beginning: string]: string[] } {
  return Object.fromEntries(
    names.map((name) => [`${folder}/${name}/`, [`${folder}/${name}/`, 'service/check/', ...more]]),
  )
}

function mutantsOf(beginning: string, only = ''): Mutant[] {
  return filesIn(topOf(beginning))
    .filter((file) => roomOf(file) === beginning && file.startsWith(only))
    .filter((file) => !/(\.test|tables|\/main|\/process)\.ts$/.test(file))
    .flatMap((file) => findMutants(file, readFileSync(file, 'utf8')))
}

function roomOf(file: string): string | undefined {
  const fitting = Object.keys(ROOMS).filter((beginning) => file.startsWith(beginning))
  return fitting.toSorted((a, b) => b.length - a.length)[0]
}

function testsOf(testsIn: readonly string[]): string[] {
  return [...new Set(testsIn.map(topOf))]
    .flatMap(filesIn)
    .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
    .filter((file) =>
      testsIn.some((beginning) => file.startsWith(beginning) && file.includes(RELEASE) === beginning.includes(RELEASE)),
    )
}

function topOf(path: string): string {
  return path.split('/')[0] ?? ''
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .toSorted()
}

function describe({ file, line, change, source }: Mutant): string {
  return `${file}:${line} ${change} in: ${source}`
}
