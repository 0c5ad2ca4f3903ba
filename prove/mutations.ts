// Whether the tests would notice: the code that counts credits, attempts and secrets is changed in one place at a time, and a
// test must fail. `MUTATE=kit/seal npm run prove -- mutations` tries only the files whose path begins so.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findMutants, type Mutant } from './mutations/find-mutants.ts'
import { SURVIVORS } from './mutations/survivors.ts'
import { tryMutants, type Verdict } from './mutations/try-mutants.ts'

/** What is changed, and how the paths of the tests begin that should notice. */
type Room = {
  folder: string
  testsIn: readonly string[]
  isChanged(file: string): boolean
  /** How many of its changes are tried where `MUTATE` does not ask for them. @default all of them */
  share?: number
}

const everyFile = () => true
/** What time and the gateways of others do to a check, and what a lender's server is told of it, is tested on the whole service. */
const WHOLE_SERVICE = ['service/sweeper', 'service/providers/live', 'service/webhooks/sqlite']
/** The longest first: three are tried at a time, since each waits for its tests nearly as long as it works. */
const ROOMS: readonly Room[] = [
  // These two have most of the changes, and tests that wait for time-outs: all of them would take an hour and a half.
  // What is started as a process is tested as one, which a changed file does not reach.
  {
    folder: 'tenant-proxy',
    testsIn: ['tenant-proxy'],
    isChanged: (file) => !/\/(main|process)\.ts$/.test(file),
    share: 0.4,
  },
  { folder: 'service/reports', testsIn: ['service/reports', ...WHOLE_SERVICE], isChanged: everyFile, share: 0.5 },
  { folder: 'service/texts', testsIn: ['service/texts', 'service/reports', ...WHOLE_SERVICE], isChanged: everyFile },
  // How far clocks may be apart is tested where it decides something.
  { folder: 'kit', testsIn: ['kit', 'service/reports/challenge.test'], isChanged: everyFile },
  { folder: 'widget/flow', testsIn: ['widget/flow'], isChanged: everyFile },
  { folder: 'service/wallet', testsIn: ['service/wallet'], isChanged: everyFile },
]
/** They start processes or another database; a mutant is not in the one, and does not need the other. */
const LEFT_OUT =
  /\/(postgres|round-trips|any-server|examples|process|bad-set-up|with-service|address-recipes)\.test\.ts$/
const KILLED_SHARE_MIN = 0.9

export const about = {
  title: 'The code is changed on purpose, and a test must notice',
  text: 'One operator, condition, literal, answer or statement at a time is changed in the wallet, the challenge and its texts, the shared kit, the tenant proxy and the widget’s state machine; of the proxy’s changes two fifths and of the reports’ half, always the same ones. A change that no test notices has survived; those that change nothing a test could see are listed with the reason, any other breaks the run.',
  meanings: {
    mutants: 'changes',
    killed: 'noticed by a test',
    'timed out': 'ran for ever, which is noticed too',
    listed: 'listed with the reason: counted as survived, and not tried, since every test would run for each in vain',
    unlisted: 'survived; must be 0',
    'listed in vain': 'listed, but there is no such change; must be 0',
  },
}

export async function run({ scale }: { scale: number }) {
  const only = process.env.MUTATE ?? ''
  const verdicts: Verdict[] = []
  const shares: { [folder: string]: number } = {}
  const waiting = [...ROOMS]
  async function tryRooms(): Promise<void> {
    for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) {
      const mutants = sourcesOf(room)
        .filter((file) => file.startsWith(only))
        .flatMap((file) => findMutants(file, readFileSync(file, 'utf8')))
        .filter((mutant) => isSampled(mutant, only === '' ? scale * (room.share ?? 1) : scale))
      if (mutants.length === 0) continue
      const listed = mutants.filter(isListed)
      const unlisted = mutants.filter((mutant) => !isListed(mutant))
      const found = await tryMutants({ tests: testsOf(room), mutants: unlisted }, ({ mutant, outcome }) => {
        if (outcome === 'survived') process.stdout.write(`SURVIVED ${describe(mutant)}\n`)
      })
      shares[room.folder] = found.filter(({ outcome }) => outcome !== 'survived').length / mutants.length
      verdicts.push(...found, ...listed.map((mutant) => ({ mutant, outcome: 'survived' as const })))
    }
  }
  await Promise.all([tryRooms(), tryRooms(), tryRooms()])
  const count = (outcome: Verdict['outcome'], where: (mutant: Mutant) => boolean = () => true) =>
    verdicts.filter((verdict) => verdict.outcome === outcome && where(verdict.mutant)).length
  const wrong = { unlisted: count('survived', (mutant) => !isListed(mutant)), 'listed in vain': countVain() }
  const percents = Object.entries(shares).map(([folder, share]) => [`${folder}, killed %`, Math.floor(share * 100)])
  return {
    ok:
      verdicts.length > 0 &&
      Object.values(wrong).every((found) => found === 0) &&
      Object.values(shares).every((share) => share >= KILLED_SHARE_MIN),
    counts: {
      mutants: verdicts.length,
      killed: count('killed'),
      'timed out': count('timed out'),
      listed: count('survived', isListed),
      ...wrong,
      ...Object.fromEntries(percents),
    },
  }
}

function sourcesOf({ folder, isChanged }: Room): string[] {
  return filesIn(folder).filter((file) => !/(\.test|-suite)\.ts$/.test(file) && isChanged(file))
}

function testsOf({ testsIn }: Room): string[] {
  const folders = [...new Set(testsIn.map((beginning) => beginning.split('/')[0] ?? ''))]
  return folders
    .flatMap(filesIn)
    .filter((file) => testsIn.some((beginning) => file.startsWith(beginning)))
    .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`)
    .toSorted()
}

/** The same ones every time, also after lines have moved. */
function isSampled({ file, source, change }: Mutant, scale: number): boolean {
  const hash = createHash('sha256').update(`${file} ${source} ${change}`).digest()
  return hash.readUInt32BE() / 2 ** 32 < scale
}

function isListed({ file, source, change }: Mutant): boolean {
  return SURVIVORS[file]?.some((listed) => listed.source === source && listed.change === change) ?? false
}

/** What is listed and no longer there would hide the next survivor that looks like it. */
function countVain(): number {
  return Object.entries(SURVIVORS).flatMap(([file, listed]) => {
    const mutants = existsSync(file) ? findMutants(file, readFileSync(file, 'utf8')) : []
    return listed.filter(
      ({ source, change }) => !mutants.some((mutant) => mutant.source === source && mutant.change === change),
    )
  }).length
}

function describe({ file, line, change, source }: Mutant): string {
  return `${file}:${line} ${change} in: ${source}`
}
