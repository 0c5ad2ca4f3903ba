// Test support: a PostgreSQL server of one's own, on loopback, gone when the test is over.
import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { findPostgres } from './postgres-binaries.ts'

/** An empty cluster for each version of PostgreSQL: `initdb` costs ten times as much as a copy. `npm ci` clears it. */
const CLUSTERS = 'node_modules/.cache/postgres-clusters'
const START_TIMEOUT_MS = 240_000
const RETRY_MS = 50

export type ThrowawayPostgres = {
  /** The address of a new, empty database on the server. */
  createDatabase(): Promise<string>
  /** Kills the server, without a checkpoint. */
  kill(): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Ends it and deletes everything. */
  stop(): Promise<void>
}

export type ThrowawayOptions = {
  /**
   * As in production. Without, it is quicker, and only the machine's own power cut could lose what it has written.
   * @default false
   */
  fsync?: boolean
  /** The folder of its files. @default the system's temporary folder */
  within?: string
}

export async function startThrowawayPostgres(options: ThrowawayOptions = {}): Promise<ThrowawayPostgres> {
  const { fsync = false, within = tmpdir() } = options
  const binaries = findPostgres()
  const folder = mkdtempSync(join(within, 'throwaway-postgres-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const owner = serverOwner()
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const spawned: SpawnOptions = { ...owner, cwd: folder, stdio: 'ignore', env: { ...process.env, LC_ALL: 'C' } }
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  let server: ChildProcess | null = null
  let databases = 0

  const cluster = join(process.cwd(), CLUSTERS, readVersion(binaries))
  if (existsSync(cluster)) {
    copy(cluster, data)
    if (owner.uid !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, data])
  } else {
    const creation = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
    execFileSync(join(binaries, 'initdb'), creation, { ...spawned, stdio: 'pipe' })
    keep(data, cluster)
  }

  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  const small = [
    'shared_buffers=32MB',
    'log_min_messages=panic',
    'max_connections=100',
    `fsync=${fsync ? 'on' : 'off'}`,
  ]
  const switches = [...settings, ...small].flatMap((setting) => ['-c', setting])

  async function start(): Promise<void> {
    const deadlineMs = Date.now() + START_TIMEOUT_MS
    while (Date.now() < deadlineMs) {
      // After a kill the old server's workers need a moment to notice; until then a new one refuses to start.
      if (server === null || server.exitCode !== null || server.signalCode !== null) {
        server = spawn(join(binaries, 'postgres'), ['-D', data, ...switches], spawned)
      }
      if (await answers(url('postgres'))) return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
    throw new Error('the throw-away PostgreSQL server did not start in time')
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server
    server = null
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((resolve) => ending.once('exit', resolve))
    ending.kill(signal)
    await ended
  }

  await start()
  return {
    async createDatabase() {
      databases += 1
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      await client.query(`CREATE DATABASE test_${databases}`)
      await client.end()
      return url(`test_${databases}`)
    },
    kill: () => end('SIGKILL'),
    start,
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readVersion(binaries: string): string {
  return execFileSync(join(binaries, 'postgres'), ['--version'], { encoding: 'utf8' }).replace(/[^\w.]+/g, '-')
}

/** Made beside its place and renamed: several tests may make one at the same moment, and each must find a whole one. */
function keep(data: string, cluster: string): void {
  mkdirSync(dirname(cluster), { recursive: true })
  const aside = mkdtempSync(`${cluster}-`)
  try {
    copy(data, join(aside, 'data'))
    renameSync(join(aside, 'data'), cluster)
  } catch (error) {
    // Another was first.
    if (!existsSync(cluster)) throw error
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function copy(from: string, to: string): void {
  execFileSync('cp', ['-R', from, to])
}

/** True when a server, or a pooler before it, takes statements there. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** PostgreSQL and its pooler refuse to run as root; then they run as PostgreSQL's own user, or as `nobody`. */
export function serverOwner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const line = ['postgres', 'nobody'].map((name) => users.find((user) => user.startsWith(`${name}:`))).find(Boolean)
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined ? {} : { uid: Number(uid), gid: Number(gid) }
}

const portsGiven = new Set<number>()

/** Never the same twice: a server may not have taken its port yet when the next asks for one. */
export async function freePort(): Promise<number> {
  const port = await findPort()
  if (portsGiven.has(port)) return freePort()
  portsGiven.add(port)
  return port
}

function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
