// The files of deploy/ are what the programs that read them accept. Each is checked where its program is installed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

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

const nginx = find('nginx') && find('openssl')
test.runIf(nginx)('nginx takes the site', () => {
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  execFileSync('openssl', [...request, ...files, '-days', '1', '-subj', '/CN=credit.example'], { stdio: 'ignore' })
  const site = readFileSync('deploy/nginx.conf', 'utf8').replaceAll('/etc/ssl/credit.example', folder)
  writeFileSync(join(folder, 'site.conf'), site)
  const around = `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; include ${folder}/site.conf; }`
  writeFileSync(join(folder, 'nginx.conf'), around)
  expect(check('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')])).toEqual({
    ok: true,
    said: expect.stringContaining('test is successful'),
  })
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

test.runIf(find('systemd-analyze') && existsSync('/usr/bin/node'))(
  'systemd takes the unit, and finds it hardened',
  () => {
    expect(check('systemd-analyze', ['verify', UNIT])).toEqual({ ok: true, said: '' })
    // Of 10, in tenths: 100 is a service that may do anything.
    const { ok, said } = check('systemd-analyze', ['security', '--offline=true', '--threshold=20', UNIT])
    expect(ok, said).toBe(true)
  },
)
