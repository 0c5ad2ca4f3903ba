// Programs that release tests run: what operators put around the service, and the languages of the examples. Debian has
// all of them.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A tool is installed when its probe succeeds. The probe uses what the tests need of the tool: PHP without its curl
 * extension, or a C# compiler without its libraries, passes every check by file name and fails the tests.
 */
const TOOLS = {
  pgbouncer: { works: () => runs('pgbouncer', '--version'), packages: ['pgbouncer'] },
  promtool: { works: () => runs('promtool', '--version'), packages: ['prometheus'] },
  nginx: { works: () => runs('nginx', '-v'), packages: ['nginx-light'] },
  haproxy: { works: () => runs('haproxy', '-v'), packages: ['haproxy'] },
  patroni: { works: () => runs('patroni', '--version'), packages: ['patroni'] },
  'docker-compose': { works: () => runs('docker-compose', 'version'), packages: ['docker-compose'] },
  faketime: { works: () => runs('faketime', '-f', '+1d', 'true'), packages: ['faketime'] },
  curl: { works: () => runs('curl', '--version'), packages: ['curl'] },
  jq: { works: () => runs('jq', '--version'), packages: ['jq'] },
  php: { works: () => runs('php', '-r', 'curl_init();'), packages: ['php-cli', 'php-curl'] },
  python3: {
    works: () => runs('/usr/bin/python3', '-c', 'import requests'),
    packages: ['python3', 'python3-requests'],
  },
  java: { works: () => runs('javac', '-version'), packages: ['default-jdk-headless'] },
  mono: {
    works: compilesForMono,
    packages: ['mono-mcs', 'libmono-system-net-http4.0-cil', 'libmono-system-runtime-serialization4.0-cil'],
  },
}

/** Installs what is missing, on Debian as root; returns a line for each tool that is still missing. */
export function installOperatorTools() {
  const missing = findMissing()
  if (missing.length === 0) return []
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const names = missing.flatMap((tool) => TOOLS[tool].packages)
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync(
      'apt-get',
      ['-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', ...names],
      options,
    )
  }
  return findMissing().map(
    (tool) => `${tool} does not work here (Debian: apt-get install ${TOOLS[tool].packages.join(' ')}): its tests fail`,
  )
}

function findMissing() {
  return Object.keys(TOOLS).filter((tool) => !TOOLS[tool].works())
}

function runs(command, ...args) {
  // Debian keeps daemons in /usr/sbin, which is not on every user's path.
  const PATH = `${process.env.PATH}:/usr/sbin`
  return spawnSync(command, args, { stdio: 'ignore', env: { ...process.env, PATH } }).status === 0
}

function compilesForMono() {
  const folder = mkdtempSync(join(tmpdir(), 'mono-probe-'))
  const [source, program] = [join(folder, 'Probe.cs'), join(folder, 'Probe.exe')]
  writeFileSync(source, 'class Probe { static void Main() { new System.Net.Http.HttpClient(); } }')
  const works =
    runs('mcs', '-r:System.Net.Http,System.Runtime.Serialization', `-out:${program}`, source) && runs('mono', program)
  rmSync(folder, { recursive: true })
  return works
}

if (process.argv[1] === import.meta.filename) for (const line of installOperatorTools()) console.error(line)
