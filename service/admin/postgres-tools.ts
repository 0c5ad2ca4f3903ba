// PostgreSQL's own programs for dumps: nothing else writes one that every version can read.
import { spawn } from 'node:child_process'
import { UsageError } from './command.ts'

const SAID_MAX = 200

/** Runs `pg_dump` or `pg_restore` on the database at `url`; resolves to what it printed. The password is not among its arguments. */
export function runPostgresTool(program: 'pg_dump' | 'pg_restore', args: string[], url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const tool = spawn(program, args, {
      env: { ...process.env, ...connectionOf(url) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    let complaint = ''
    tool.stdout.on('data', (data) => {
      printed += data
    })
    tool.stderr.on('data', (data) => {
      complaint += data
    })
    tool.on('error', () =>
      reject(
        new UsageError(`${program} is missing: install PostgreSQL's client programs of the server's version or newer`),
      ),
    )
    tool.on('close', (code) => {
      if (code === 0) return resolve(printed)
      const [line = ''] = complaint.split('\n').filter((said) => /error/i.test(said))
      reject(new UsageError(`${line || `${program}: error: exit code ${code}`}`.slice(0, SAID_MAX)))
    })
  })
}

function connectionOf(url: string): { [name: string]: string } {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const sslmode = searchParams.get('sslmode')
  return {
    PGHOST: hostname,
    ...(port ? { PGPORT: port } : {}),
    ...(username ? { PGUSER: decodeURIComponent(username) } : {}),
    ...(password ? { PGPASSWORD: decodeURIComponent(password) } : {}),
    ...(sslmode ? { PGSSLMODE: sslmode } : {}),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  }
}
