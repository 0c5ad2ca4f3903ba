// The files of deploy/ are what the programs that read them accept. Each is checked where its program is installed.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startNodeServer } from '../../service/http/node-server.ts'
import { runTestAdmin } from '../../testing/admin.ts'
import { findPostgres } from '../../testing/postgres-binaries.ts'
import { createTestApp, liveRequest, TEST_SECRET_KEY } from '../../testing/test-app.ts'
import { answers, freePort, serverOwner, startThrowawayPostgres } from '../../testing/throwaway-postgres.ts'

const UNIT = 'deploy/credit-report-service.service'
const folder = mkdtempSync(join(tmpdir(), 'deploy-'))
afterAll(() => rmSync(folder, { recursive: true }))

function find(program: string): string | undefined {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  return folders.map((path) => join(path, program)).find((path) => existsSync(path))
}

function check(program: string, args: string[], env: { [name: string]: string } = {}): { ok: boolean; said: string } {
  const options = { encoding: 'utf8', env: { ...process.env, ...env } } as const
  const { status, stdout, stderr } = spawnSync(find(program) ?? program, args, options)
  return { ok: status === 0, said: `${stdout}${stderr}` }
}

/** The same while this process answers others. */
async function checkAside(program: string, args: string[], env: { [name: string]: string }) {
  const child = spawn(find(program) ?? program, args, { env: { ...process.env, ...env }, stdio: 'pipe' })
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await once(child, 'close')
  return { ok: status === 0, said: (await said).join('') }
}

const nginx = find('nginx') && find('openssl')
test.runIf(nginx)(
  'nginx serves from its site: by name, without metrics, also while one of two processes is away',
  async () => {
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
    execFileSync('openssl', [...request, ...files, '-days', '1', '-subj', '/CN=credit.example'], { stdio: 'ignore' })
    const [port, away] = [await freePort(), await freePort()]
    const app = await createTestApp({ environment: { PUBLIC_URL: 'https://credit.example', TRUSTED_HOPS: '1' } })
    const server = await startNodeServer({ fetch: app.fetch, host: '127.0.0.1', port: 0, timing: { drainMs: 0 } })
    const site = readFileSync('deploy/nginx.conf', 'utf8')
      .replaceAll('/etc/ssl/credit.example', folder)
      .replace('127.0.0.1:4101', `127.0.0.1:${away}`)
      .replace('127.0.0.1:4102', `127.0.0.1:${server.port}`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    writeFileSync(join(folder, 'site.conf'), site)
    const around = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; include ${folder}/site.conf; }`
    writeFileSync(join(folder, 'nginx.conf'), around)
    const args = ['-p', folder, '-c', join(folder, 'nginx.conf')]
    expect(check('nginx', ['-t', ...args])).toEqual({ ok: true, said: expect.stringContaining('test is successful') })
    const running = spawn(find('nginx') ?? '', args, { stdio: 'ignore' })
    const ended = once(running, 'exit')
    const ask = (path: string, ...more: string[]) => {
      const address = ['--cacert', join(folder, 'fullchain.pem'), '--resolve', `credit.example:${port}:127.0.0.1`]
      const answer = ['--silent', '--max-time', '60', '--output', '/dev/null', '--write-out', '%{http_code}']
      return checkAside('curl', [...address, ...answer, ...more, `https://credit.example:${port}${path}`], {})
    }
    try {
      await expect.poll(async () => (await ask('/healthz')).said, { timeout: 60_000 }).toBe('200')
      expect((await ask('/metrics')).said).toBe('404')
      const form = ['--data', 'grant_type=client_credentials&client_id=none&client_secret=none']
      // The process that is away is asked first now and then; what never reached it goes to the other.
      for (let tries = 0; tries < 4; tries += 1) expect((await ask('/v1/oauth/token', ...form)).said).toBe('401')
      expect((await ask('/v1/oauth/token', '--data', 'x'.repeat(70_000))).said).toBe('413')
    } finally {
      running.kill('SIGTERM')
      await ended
      await server.stop()
      await app.close()
    }
  },
)

test.runIf(find('pgbouncer'))('pgbouncer serves from its file, to who knows the password', async () => {
  const postgres = await startThrowawayPostgres()
  const server = new pg.Client({ connectionString: await postgres.createDatabase() })
  await server.connect()
  await server.query(`CREATE ROLE credit_reports LOGIN PASSWORD 'right'`)
  const printed = readFileSync('deploy/pgbouncer.ini', 'utf8')
  const [, userlist = ''] = /psql -Atc "(.*?)" >/.exec(printed) ?? []
  const { rows } = await server.query({ text: userlist.replaceAll('\\"', '"'), rowMode: 'array' })
  const place = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  const file = printed
    .replace(
      'host=10.0.0.5 port=5432 dbname=credit_reports',
      `host=127.0.0.1 port=${server.port} dbname=${server.database}`,
    )
    .replace('listen_port = 6432', `listen_port = ${port}\nunix_socket_dir =`)
    .replaceAll('/etc/pgbouncer', place)
  writeFileSync(join(place, 'pgbouncer.ini'), file)
  writeFileSync(join(place, 'userlist.txt'), `${rows[0]}\n`)
  chmodSync(place, 0o755)
  const options = { ...serverOwner(), stdio: 'ignore' } as const
  const pooler = spawn(find('pgbouncer') ?? '', ['--quiet', join(place, 'pgbouncer.ini')], options)
  const ended = new Promise((resolve) => pooler.once('exit', resolve))
  const url = (password: string) => `postgres://credit_reports:${password}@127.0.0.1:${port}/credit_reports`
  try {
    await expect.poll(() => answers(url('right')), { timeout: 60_000 }).toBe(true)
    expect(await answers(url('wrong'))).toBe(false)
  } finally {
    pooler.kill('SIGINT')
    await ended
    await server.end()
    await postgres.stop()
    rmSync(place, { recursive: true })
  }
})

test('the backup of the compose file is written whole, restores and verifies', async () => {
  const postgres = await startThrowawayPostgres()
  const backups = mkdtempSync(join(tmpdir(), 'backups-'))
  try {
    const [from, to] = [await postgres.createDatabase(), await postgres.createDatabase()]
    const app = await createTestApp({ databaseUrl: from })
    await app.generate(liveRequest('Allow'))
    await app.close()
    const [, script = ''] =
      /command:\n {6}- \|\n([\s\S]*?)\nvolumes:/.exec(readFileSync('deploy/compose.yaml', 'utf8')) ?? []
    const command = script.replaceAll('$$', '$').replace('/backups', backups)
    const { port, username, pathname } = new URL(from)
    const env = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: username, PGDATABASE: pathname.slice(1) }
    expect(check('sh', ['-euc', command], env)).toMatchObject({ ok: true })
    expect(check('sh', ['-euc', command], { ...env, PGDATABASE: 'none' })).toMatchObject({ ok: false })
    const [file = '', sum = '', ...rest] = readdirSync(backups).sort()
    expect([sum, rest]).toEqual([`${file}.sha256`, []])
    expect(check('sh', ['-euc', `cd ${backups} && sha256sum --check ${sum}`])).toMatchObject({ ok: true })
    const restore = ['--single-transaction', '--exit-on-error', '--no-owner', `--dbname=${to}`, join(backups, file)]
    expect(check('pg_restore', restore)).toMatchObject({ ok: true })
    const environment = { DATABASE_URL: to, SECRET_KEY: TEST_SECRET_KEY }
    expect(await runTestAdmin(environment, ['verify'])).toMatchObject({ exitCode: 0 })
  } finally {
    await postgres.stop()
    rmSync(backups, { recursive: true })
  }
})

test.runIf(find('haproxy'))('haproxy takes its file', () => {
  const address = { HAPROXY_BIND: '127.0.0.1:5000' }
  const servers = [1, 2, 3].flatMap((number) => [
    [`POSTGRES_${number}`, `10.0.0.1${number}:5432`],
    [`PATRONI_PORT_${number}`, '8008'],
  ])
  const settings = { ...address, ...Object.fromEntries(servers) }
  expect(check('haproxy', ['-c', '-f', 'deploy/haproxy.cfg'], settings)).toMatchObject({ ok: true })
})

test('compose takes its file, and refuses to start without a password', () => {
  const place = join(folder, 'compose')
  mkdirSync(place)
  writeFileSync(join(place, 'compose.yaml'), readFileSync('deploy/compose.yaml'))
  const args = ['-f', join(place, 'compose.yaml'), '--profile', 'backup', 'config', '--quiet']
  writeFileSync(join(place, '.env'), '')
  expect(check('docker-compose', args)).toEqual({ ok: false, said: expect.stringContaining('set it in .env') })
  writeFileSync(join(place, '.env'), 'DATABASE_PASSWORD=a-password')
  expect(check('docker-compose', args)).toEqual({ ok: true, said: '' })
})

test('Patroni takes its file', async () => {
  // The validator asks whether etcd's port is open.
  const etcd = createServer()
  await new Promise<void>((resolve) => etcd.listen(0, '127.0.0.1', resolve))
  const address = etcd.address()
  const listen = async () => `127.0.0.1:${await freePort()}`
  const users = ['SUPERUSER', 'REPLICATION', 'REWIND'].flatMap((user) => [
    [`PATRONI_${user}_USERNAME`, user.toLowerCase()],
    [`PATRONI_${user}_PASSWORD`, 'a password'],
  ])
  try {
    const checked = await checkAside('patroni', ['--validate-config', 'deploy/patroni.yml'], {
      PATRONI_NAME: 'postgres-1',
      PATRONI_ETCD3_HOSTS: `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
      PATRONI_RESTAPI_LISTEN: await listen(),
      PATRONI_RESTAPI_CONNECT_ADDRESS: '10.0.0.11:8008',
      PATRONI_POSTGRESQL_LISTEN: await listen(),
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: '10.0.0.11:5432',
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, 'patroni-data'),
      PATRONI_POSTGRESQL_BIN_DIR: findPostgres(),
      PATRONI_POSTGRESQL_PGPASS: join(folder, 'pgpass'),
      ...Object.fromEntries(users),
    })
    expect(checked).toEqual({ ok: true, said: '' })
  } finally {
    etcd.close()
  }
})

test('the unit names files that an installation has', () => {
  const unit = readFileSync(UNIT, 'utf8')
  const [, documentation = ''] = /^Documentation=file:\/opt\/credit-report-service\/(.*)$/m.exec(unit) ?? []
  expect(existsSync(documentation), documentation).toBe(true)
  const [, program = ''] = /^ExecStart=.* (dist\/.*)$/m.exec(unit) ?? []
  expect(existsSync(program), program).toBe(true)
})

test.runIf(find('systemd-analyze') && existsSync('/usr/bin/node'))(
  'systemd takes the unit, and finds it hardened',
  () => {
    expect(check('systemd-analyze', ['verify', UNIT])).toEqual({ ok: true, said: '' })
    // Of 10, in tenths: 100 is a service that may do anything.
    const { ok, said } = check('systemd-analyze', ['security', '--offline=true', '--threshold=20', UNIT])
    expect(ok, said).toBe(true)
  },
)
