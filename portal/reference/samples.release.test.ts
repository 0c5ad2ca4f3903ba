// Every sample of the reference page, run as printed against the built service: token → generate → code → read, in one
// shell or one file. Debian packages: curl jq python3 python3-requests php-cli php-curl
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltService, startBuiltService } from '../../prove/cuts/built-service.ts'

type Language = {
  /** Debian packages, and a command that succeeds where they are installed. */
  needs: string
  check: string[]
  /** The program that reads the samples, all of them, from its standard input. */
  run: string[]
  /** Prints a mark before each sample; `source` is what goes in. */
  write: (samples: { id: string; code: string }[]) => string
}

const MARK = '@@@'
const LANGUAGES: { [name: string]: Language } = {
  curl: {
    needs: 'curl jq',
    check: ['sh', '-c', 'curl --version && jq --version'],
    run: ['bash', '-e'],
    write: (samples) =>
      samples.map(({ id, code }) => `echo '${MARK}${id}'\n${code}\necho "$ANSWER"; ANSWER=`).join('\n'),
  },
  JavaScript: {
    needs: 'nodejs',
    check: ['node', '--version'],
    run: ['node', '--input-type=module', '-'],
    write: (samples) => samples.map(({ id, code }) => `console.log('${MARK}${id}')\n${code}`).join('\n'),
  },
  Python: {
    needs: 'python3 python3-requests',
    check: ['/usr/bin/python3', '-c', 'import requests'],
    run: ['/usr/bin/python3', '-'],
    write: (samples) => samples.map(({ id, code }) => `print('${MARK}${id}')\n${code}`).join('\n'),
  },
  PHP: {
    needs: 'php-cli php-curl',
    check: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
    run: ['php'],
    write: (samples) => `<?php\n${samples.map(({ id, code }) => `echo "\\n${MARK}${id}\\n";\n${code}`).join('\n')}`,
  },
}
const RUN_MS = 120_000

function execute([command = '', ...args]: string[], input = '', env = {}): SpawnSyncReturns<string> {
  return spawnSync(command, args, { input, encoding: 'utf8', env: { ...process.env, ...env } })
}

let service: BuiltService
/** All pages of the reference. */
let page: string
beforeAll(async () => {
  const missing = Object.values(LANGUAGES).filter(({ check }) => execute(check).status !== 0)
  const packages = missing.map(({ needs }) => needs).join(' ')
  if (packages) throw new Error(`install what is missing: apt-get install ${packages}`)
  service = await startBuiltService()
  const start = await (await fetch(`${service.url}/docs`)).text()
  const paths = [...start.matchAll(/<h2><a href="([^"]+)"/g)].map(([, path]) => path)
  page = (await Promise.all(paths.map(async (path) => (await fetch(service.url + path)).text()))).join('')
}, RUN_MS)
afterAll(() => service?.stop())

/** The order a developer goes in: the token first, and what ends a report last. */
const FIRST = ['createToken', 'generateCreditReport', 'getCreditReport', 'resendSms', 'submitOtp', 'openCreditReport']

function samplesIn(language: string): { id: string; code: string }[] {
  const found = page.split('<article class="operation" id="').flatMap((article) => {
    const code = new RegExp(`data-language="${language}"[^]*?<pre tabindex="0"><code>([^]*?)</code>`).exec(article)?.[1]
    return code === undefined ? [] : [{ id: article.slice(0, article.indexOf('"')), code: unescapeHtml(code) }]
  })
  const rank = ({ id }: { id: string }) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length)
  return found.toSorted((one, other) => rank(one) - rank(other))
}

function unescapeHtml(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

test.each(Object.entries(LANGUAGES))(
  'every sample in %s works as printed, each with what the one before it got',
  (name, { run, write }) => {
    const samples = samplesIn(name)
    expect(samples.map(({ id }) => id).slice(0, FIRST.length)).toEqual(FIRST)
    const environment = { CLIENT_ID: 'demo-lender', CLIENT_SECRET: 'demo-secret' }
    const { status, stdout, stderr } = execute(run, write(samples), environment)
    expect([status, stderr]).toEqual([0, ''])
    const answers = new Map(
      stdout
        .split(MARK)
        .slice(1)
        .map((part) => [/^\w+/.exec(part)?.[0] ?? '', part]),
    )
    expect([...answers.keys()]).toEqual(samples.map(({ id }) => id))
    // Every refusal has a code and a message, that of the token endpoint an error.
    const refused = [...answers].filter(([, answer]) => /\berror\b|["']?message["']?\]? ?(?:=>|:)/.test(answer))
    expect(refused).toEqual([])
    expect(answers.get('generateCreditReport') ?? '').toMatch(
      name === 'JavaScript' ? /generate/ : /authentication-required/,
    )
    expect(answers.get('resendSms') ?? '').toMatch(/smsSentCount/)
    expect(answers.get('submitOtp') ?? '').toMatch(/complete/)
    expect(answers.get('getWallet') ?? '').toMatch(/balanceCredits/)
  },
  RUN_MS,
)
