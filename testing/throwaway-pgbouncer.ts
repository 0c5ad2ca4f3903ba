// Test support: pgbouncer in transaction mode before a throw-away PostgreSQL, with fewer server connections than
// clients.
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, freePort, serverOwner } from './throwaway-postgres.ts'

const START_TIMEOUT_MS = 20_000
const SERVER_CONNECTIONS = 4

/** Null where it is not installed (Debian: apt install pgbouncer). */
export const pgbouncerProgram = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  .map((folder) => join(folder, 'pgbouncer'))
  .find((path) => existsSync(path))

export type ThrowawayPgbouncer = {
  /** The same database, through the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

export async function startThrowawayPgbouncer(postgresUrl: string): Promise<ThrowawayPgbouncer> {
  if (pgbouncerProgram === undefined) throw new Error('pgbouncer is not installed (Debian: apt install pgbouncer)')
  const folder = mkdtempSync(join(tmpdir(), 'throwaway-pgbouncer-'))
  const owner = serverOwner()
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
  const port = await freePort()
  const { hostname, port: serverPort, username } = new URL(postgresUrl)
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: join(folder, 'users'),
    pool_mode: 'transaction',
    default_pool_size: SERVER_CONNECTIONS,
    max_client_conn: 200,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
  const servers = `[databases]\n* = host=${hostname} port=${serverPort}\n`
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`, { mode: 0o644 })
  writeFileSync(join(folder, 'pgbouncer.ini'), `${servers}[pgbouncer]\n${lines.join('\n')}\n`, { mode: 0o644 })
  const pooler = spawn(pgbouncerProgram, ['--quiet', join(folder, 'pgbouncer.ini')], { ...owner, stdio: 'ignore' })
  const ended = new Promise((resolve) => pooler.once('exit', resolve))
  const through = (url: string) => Object.assign(new URL(url), { port: String(port) }).href

  const deadlineMs = Date.now() + START_TIMEOUT_MS
  while (!(await answers(through(postgresUrl)))) {
    if (Date.now() > deadlineMs) throw new Error('the throw-away pgbouncer did not start in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    through,
    async stop() {
      pooler.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
