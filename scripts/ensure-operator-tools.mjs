// What the tests about running the service use where it is there: pgbouncer, Prometheus's promtool, nginx, HAProxy and libfaketime. Debian
// has all.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PACKAGES = {
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  faketime: 'faketime',
}

/** Installs what is missing where that is possible without asking anyone; resolves to a line about each. */
export function installOperatorTools() {
  const missing = Object.keys(PACKAGES).filter((program) => !isThere(program))
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const names = missing.map((program) => PACKAGES[program])
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options)
  }
  return Object.keys(PACKAGES)
    .map((program) => `${program} ${isThere(program) ? 'is tested' : 'is not installed: its tests did not run'}`)
    .join(', ')
}

function isThere(program) {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  return folders.some((folder) => existsSync(`${folder}/${program}`))
}
