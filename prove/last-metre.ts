// Every answer between browser and proxy is cut at every tenth of its body: the browser journeys of
// e2e/last-metre.release.spec.ts, many times.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const ANSWERS = 4
const TENTHS = 10
const JOURNEYS_AT_FULL_SCALE = 1_000

export const about = {
  title: 'Responses to the browser cut mid-body',
  text: 'In a real browser, one response of each live check (state, details, another text, the right code) is cut after its headers, at each tenth of its body. Each check ends with the report on screen and one charge.',
  meanings: {
    journeys: 'checks in a browser',
    failed: 'no report, or not one charge',
  },
}

export async function run({ scale }: { scale: number }) {
  const repeats = Math.max(1, Math.round((JOURNEYS_AT_FULL_SCALE * scale) / (ANSWERS * TENTHS)))
  const journeys = repeats * ANSWERS * TENTHS
  const args = ['test', 'e2e/last-metre.release.spec.ts', `--repeat-each=${repeats}`, '--retries=0', '--reporter=json']
  const child = spawn(process.execPath, ['node_modules/@playwright/test/cli.js', ...args], {
    env: { ...process.env, EVERY_TENTH: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  await once(child, 'close')
  const { expected, unexpected, flaky, skipped } = JSON.parse(printed).stats
  return {
    ok: expected === journeys,
    counts: { journeys, passed: expected, failed: unexpected + flaky + skipped },
  }
}
