import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The findings of Redocly's recommended rules. */
function lint(file: string): string[] {
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const command = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format', 'json', '--extends', 'recommended']
  const output = execFileSync(process.execPath, command, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  const { problems } = JSON.parse(output.toString()) as { problems: Problem[] }
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}
type Problem = { ruleId: string; message: string; location: { pointer: string }[] }

test('a linter that knows nothing of this project finds nothing to say', () => {
  expect(lint('docs/openapi.json')).toEqual([])
})

test('it would say so', () => {
  const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))
  const broken = join(folder, 'openapi.json')
  writeFileSync(broken, JSON.stringify({ ...document, servers: [{ url: 'http://localhost:4100' }] }))
  expect(lint(broken)).toEqual([expect.stringContaining('no-server-example.com')])
})
