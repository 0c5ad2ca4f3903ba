// Programs that release tests run: what operators put around the service, and the languages of the examples. Debian has all of them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PACKAGES = {
  pgbouncer: 'pgbouncer',
  promtool: 'prometheus',
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  patroni: 'patroni',
  'docker-compose': 'docker-compose',
  faketime: 'faketime',
  php: 'php-cli',
  python3: 'python3',
  java: 'default-jdk-headless',
  mcs: 'mono-mcs libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil',
}

/** Installs what is missing, on Debian as root; returns a line for each program that is still missing. */
export function installOperatorTools() {
  const missing = Object.keys(PACKAGES).filter((program) => !isThere(program))
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const names = missing.flatMap((program) => PACKAGES[program].split(' '))
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '--no-install-recommends', ...names], options)
  }
  return Object.keys(PACKAGES)
    .filter((program) => !isThere(program))
    .map((program) => `${program} is not installed (Debian: apt-get install ${PACKAGES[program]}): its tests fail`)
}

function isThere(program) {
  const folders = ['/usr/sbin', ...(process.env.PATH ?? '').split(':')]
  return folders.some((folder) => existsSync(`${folder}/${program}`))
}
