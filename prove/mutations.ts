// Whether the tests would notice: a random sample of one-line changes to production code, one at a time. Survivors are printed for a person to read:
// some change nothing that a test could see. `MUTATE=kit/seal npm run prove -- mutations` tries every change of the files whose path begins so.
import { readdirSync, readFileSync } from 'node:fs'
import { findMutants, type Mutant } from './mutations/find-mutants.ts'
import { tryMutants, type Verdict } from './mutations/try-mutants.ts'

/** What is changed, and how the paths of the tests begin that should notice. */
type Room = { folder: string; testsIn: readonly string[] }

/** Timeouts, retries and webhooks of a check are tested on the whole service. */
const WHOLE_SERVICE = ['service/sweeper', 'service/providers/live', 'service/webhooks/webhook']
const ROOMS: readonly Room[] = [
  { folder: 'tenant-proxy', testsIn: ['tenant-proxy'] },
  { folder: 'service', testsIn: ['service'] },
  { folder: 'kit', testsIn: ['kit', 'service/reports/challenge.test'] },
  { folder: 'widget/flow', testsIn: ['widget/flow'] },
  ...['audit', 'http', 'idempotency', 'store', 'wallet'].map((name) => serviceRoom(name)),
  ...['admin', 'providers', 'reports', 'texts', 'webhooks'].map((name) => serviceRoom(name, WHOLE_SERVICE)),
]
/** These run processes or PostgreSQL, which a changed module does not reach. */
const LEFT_OUT = /\.release\.test\.ts$|\/(postgres|bad-set-up|with-service|address-recipes)\.test\.ts$/
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
    'noticed %': 'must be 92 or more',
  },
}

export async function run({ scale }: { scale: number }) {
  const only = process.env.MUTATE
  const all = ROOMS.map((room) => ({ room, mutants: mutantsOf(room, only) }))
  const total = all.reduce((sum, { mutants }) => sum + mutants.length, 0)
  const share = only === undefined ? Math.min(1, (SAMPLE * scale) / total) : 1
  const verdicts: Verdict[] = []
  const waiting = [...all]
  async function tryRooms(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const mutants = next.mutants.filter(() => Math.random() < share)
      if (mutants.length === 0) continue
      const found = await tryMutants({ tests: testsOf(next.room), mutants }, ({ mutant, outcome }) => {
        if (outcome === 'survived') process.stdout.write(`SURVIVED ${describe(mutant)}\n`)
      })
      verdicts.push(...found)
    }
  }
  // Two at a time: each waits for its tests nearly as long as it works.
  await Promise.all([tryRooms(), tryRooms()])
  const count = (outcome: Verdict['outcome']) => verdicts.filter((verdict) => verdict.outcome === outcome).length
  const noticed = 1 - count('survived') / verdicts.length
  return {
    ok: verdicts.length > 0 && noticed >= KILLED_SHARE_MIN,
    counts: {
      mutants: verdicts.length,
      killed: count('killed'),
      'timed out': count('timed out'),
      survived: count('survived'),
      'noticed %': Math.floor(noticed * 100),
    },
  }
}

function serviceRoom(name: string, more: readonly string[] = []): Room {
  return { folder: `service/${name}`, testsIn: [`service/${name}`, 'service/reports', ...more] }
}

function mutantsOf({ folder }: Room, only = ''): Mutant[] {
  // The folders of the service are rooms of their own.
  return filesIn(folder, { recursive: folder !== 'service' })
    .filter((file) => !/(\.test|tables|\/main|\/process)\.ts$/.test(file) && file.startsWith(only))
    .flatMap((file) => findMutants(file, readFileSync(file, 'utf8')))
}

function testsOf({ testsIn }: Room): string[] {
  const folders = [...new Set(testsIn.map((beginning) => beginning.split('/')[0] ?? ''))]
  return folders
    .flatMap((folder) => filesIn(folder, { recursive: true }))
    .filter((file) => testsIn.some((beginning) => file.startsWith(beginning)))
    .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
}

function filesIn(folder: string, { recursive }: { recursive: boolean }): string[] {
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .toSorted()
}

function describe({ file, line, change, source }: Mutant): string {
  return `${file}:${line} ${change} in: ${source}`
}
