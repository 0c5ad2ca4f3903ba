// Three PostgreSQL servers under Patroni, one etcd and HAProxy before them, with the files of deploy/, all on this
// machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve as absolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findPostgres } from '../../testing/postgres-binaries.ts'
import { answers, freePort, serverOwner } from '../../testing/throwaway-postgres.ts'

const PROGRAMS = ['etcd', 'patroni', 'haproxy'] as const
const START_LIMIT_MS = 240_000
const LOOK_EVERY_MS = 250

/** Null where one of the programs is missing (Debian: etcd-server, patroni, haproxy). */
export function findPrograms(): { [program in (typeof PROGRAMS)[number]]: string } | null {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
  const [etcd, patroni, haproxy] = PROGRAMS.map(find)
  return etcd && patroni && haproxy ? { etcd, patroni, haproxy } : null
}

export type Cluster = {
  /** Through HAProxy, to whichever is the primary. */
  databaseUrl: string
  /** Asks the primary to hand over to its synchronous standby. */
  switchOver(): Promise<void>
  /**
   * Ends the primary and its Patroni without a goodbye, as a power cut does; they start again when another has taken
   * over.
   */
  killPrimary(): Promise<void>
  /** Resolves when there is a primary and both others follow it, one of them synchronously. */
  whole(): Promise<void>
  stop(): Promise<void>
}

type Member = { name: string; role: string; state: string; timeline?: number }
type Node = { name: string; data: string; restUrl: string; start(): ChildProcess; process: ChildProcess }

export async function startCluster(programs: NonNullable<ReturnType<typeof findPrograms>>): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'failover-'))
  const owner = serverOwner()
  const own = (path: string) => owner.uid && owner.gid && chownSync(path, owner.uid, owner.gid)
  own(folder)
  const others: ChildProcess[] = []
  const run = (program: string, args: string[], environment: { [name: string]: string } = {}) =>
    spawn(program, args, {
      ...owner,
      cwd: folder,
      stdio: process.env.PROVE_VERBOSE ? 'inherit' : 'ignore',
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', ...environment },
    })

  const etcdPort = await freePort()
  const peerUrl = `http://127.0.0.1:${await freePort()}`
  const etcdUrl = `http://127.0.0.1:${etcdPort}`
  const urls = ['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl, '--listen-peer-urls', peerUrl]
  const peers = ['--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `default=${peerUrl}`]
  others.push(run(programs.etcd, ['--data-dir', join(folder, 'etcd'), ...urls, ...peers]))

  const haproxyPort = await freePort()
  const haproxySettings: { [name: string]: string } = { HAPROXY_BIND: `127.0.0.1:${haproxyPort}` }
  const nodes: Node[] = []
  for (const number of [1, 2, 3]) {
    const home = join(folder, `postgres-${number}`)
    mkdirSync(home)
    own(home)
    const [restPort, port] = [await freePort(), await freePort()]
    const [rest, address] = [`127.0.0.1:${restPort}`, `127.0.0.1:${port}`]
    haproxySettings[`POSTGRES_${number}`] = address
    haproxySettings[`PATRONI_PORT_${number}`] = String(restPort)
    const name = `postgres-${number}`
    const start = () =>
      run(programs.patroni, [absolute('deploy/patroni.yml')], {
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: `127.0.0.1:${etcdPort}`,
        PATRONI_RESTAPI_LISTEN: rest,
        PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
        PATRONI_POSTGRESQL_LISTEN: address,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: address,
        PATRONI_POSTGRESQL_DATA_DIR: join(home, 'data'),
        PATRONI_POSTGRESQL_BIN_DIR: findPostgres(),
        PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: 'superuser',
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: 'replicator',
        PATRONI_REWIND_USERNAME: 'rewind',
        PATRONI_REWIND_PASSWORD: 'rewind',
      })
    nodes.push({ name, data: join(home, 'data'), restUrl: `http://${rest}`, start, process: start() })
  }
  others.push(run(programs.haproxy, ['-f', absolute('deploy/haproxy.cfg')], haproxySettings))

  async function members(): Promise<Member[]> {
    for (const { restUrl } of nodes) {
      const answer = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
      if (answer?.ok) return (await answer.json()).members
    }
    return []
  }

  async function leader(): Promise<Node | null> {
    const name = (await members()).find(({ role }) => role === 'leader')?.name
    return nodes.find((node) => node.name === name) ?? null
  }

  async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const deadlineMs = Date.now() + START_LIMIT_MS
    while (!(await isSo())) {
      if (Date.now() > deadlineMs) throw new Error(`${what}: not in time ${JSON.stringify(await members())}`)
      await pause(LOOK_EVERY_MS)
    }
  }

  const databaseUrl = `postgres://postgres:superuser@127.0.0.1:${haproxyPort}/postgres`
  const whole = () =>
    until('a primary and two standbys', async () => {
      const seen = await members()
      const timelines = new Set(seen.map(({ timeline }) => timeline))
      return (
        seen.length === nodes.length &&
        timelines.size === 1 &&
        seen.every(({ state }) => state === 'running' || state === 'streaming') &&
        seen.some(({ role }) => role === 'sync_standby') &&
        (await answers(databaseUrl))
      )
    })

  async function stop(): Promise<void> {
    for (const child of others) child.kill('SIGKILL')
    for (const node of nodes) {
      node.process.kill('SIGKILL')
      killPostgres(node.data)
    }
    await pause(500)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }

  try {
    await whole()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    databaseUrl,
    whole,
    stop,
    async switchOver() {
      const before = await leader()
      const body = JSON.stringify({ leader: before?.name })
      const answer = await fetch(`${before?.restUrl}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`the switchover was refused: ${await answer.text()}`)
    },
    async killPrimary() {
      const before = await leader()
      if (before === null) throw new Error('there is no primary to kill')
      before.process.kill('SIGKILL')
      killPostgres(before.data)
      await until('another primary', async () => {
        const now = await leader()
        return now !== null && now !== before && (await answers(databaseUrl))
      })
      before.process = before.start()
    },
  }
}

function killPostgres(data: string): void {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
