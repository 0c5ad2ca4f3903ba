// The primary of a PostgreSQL cluster changes under load, by request and by a power cut: nothing acknowledged is lost,
// nothing is charged twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '../testing/open-database.ts'
import { everythingMustHold } from './crashes/everything-must-hold.ts'
import { createLoad, LOAD_SETTINGS } from './crashes/load.ts'
import { findPrograms, startCluster } from './failover/cluster.ts'
import { times } from './faults/must.ts'
import { startChild } from './faults/service-child.ts'

const FAILOVERS = 20
const CLIENTS = 4

export const about = {
  title: 'The database fails over',
  text: 'Three PostgreSQL servers with Patroni and HAProxy as in deploy/, and etcd, the primary switched over and killed in turn under load. No acknowledged report may be missing or charged twice, every key makes one report, and the books balance. A gap is the longest time without a 200.',
  meanings: {
    reports: 'found sealed and charged once',
    'answers lost on the way': 'retried under their key',
  },
}

export async function run({ scale }: { scale: number }): Promise<{ ok: boolean; counts: { [what: string]: number } }> {
  const programs = findPrograms()
  if (programs === null) throw new Error('etcd, patroni and haproxy are needed (Debian: etcd-server, patroni, haproxy)')
  const cluster = await startCluster(programs)
  const folder = mkdtempSync(join(tmpdir(), 'failover-service-'))
  const service = await startChild({ DATA_DIR: folder, DATABASE_URL: cluster.databaseUrl, ...LOAD_SETTINGS })
  const answeredAtMs: number[] = []
  const watched: typeof service = {
    ...service,
    async call(...given) {
      const answer = await service.call(...given)
      if (answer.status === 200) answeredAtMs.push(performance.now())
      return answer
    },
  }
  const sessionId = await service.openSession()
  const load = createLoad({ clients: CLIENTS, service: () => watched, sessionId: () => sessionId })
  const gapsMs: { asked: number[]; died: number[] } = { asked: [], died: [] }
  try {
    load.start()
    for (let failover = 0; failover < times(FAILOVERS, scale); failover += 1) {
      await cluster.whole()
      const kind = failover % 2 === 0 ? 'asked' : 'died'
      const beganMs = performance.now()
      await (kind === 'asked' ? cluster.switchOver() : cluster.killPrimary())
      await cluster.whole()
      gapsMs[kind].push(longestGap(answeredAtMs, beganMs))
    }
    await load.stop()
    await load.finish()
    const database = await openTestDatabase({ databaseUrl: cluster.databaseUrl, dataDir: folder }, 'reader')
    const reports = await everythingMustHold(database, load)
    await database.close()
    return {
      ok: true,
      counts: {
        'failovers on request': gapsMs.asked.length,
        'primaries killed': gapsMs.died.length,
        reports,
        'answers lost on the way': load.counts.lost,
        ...gapCounts('on request', gapsMs.asked),
        ...gapCounts('after a kill', gapsMs.died),
      },
    }
  } finally {
    await service.kill()
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function longestGap(answeredAtMs: readonly number[], sinceMs: number): number {
  const after = answeredAtMs.filter((atMs) => atMs >= sinceMs)
  return [...after, performance.now()].reduce(
    ({ longest, previous }, atMs) => ({ longest: Math.max(longest, atMs - previous), previous: atMs }),
    { longest: 0, previous: sinceMs },
  ).longest
}

function gapCounts(kind: string, gapsMs: readonly number[]): { [what: string]: number } {
  if (gapsMs.length === 0) return {}
  const sorted = gapsMs.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  return { [`gap ${kind}, p50 ms`]: at(0.5), [`gap ${kind}, p99 ms`]: at(0.99) }
}
