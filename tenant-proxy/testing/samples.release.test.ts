// docs/examples/test-checkout.mjs as it stands, with the built package: in Node's test runner and in Vitest.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const EXAMPLE = 'docs/examples/test-checkout.mjs'
// In the repository, so that packages are found as in a lender's project.
const FOLDER = resolve('node_modules/.cache/checkout-test')
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const run = (cwd: string, ...words: string[]) => {
  const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'test' }
  // Node's runner stays silent inside another one.
  delete env.NODE_TEST_CONTEXT
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd, env, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

test('docs/lender/testing.md shows it word for word', () => {
  expect(readFileSync('docs/lender/testing.md', 'utf8')).toContain(`${readFileSync(EXAMPLE, 'utf8').trimEnd()}\n\`\`\``)
})

test('it passes in Node’s test runner', () => {
  const { status, said } = run('.', '--test', EXAMPLE)
  expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(/pass 6/) })
})

test('it passes in Vitest', () => {
  mkdirSync(FOLDER, { recursive: true })
  const inVitest = readFileSync(EXAMPLE, 'utf8').replace("'node:test'", "'vitest'")
  writeFileSync(`${FOLDER}/checkout.test.mjs`, inVitest)
  writeFileSync(`${FOLDER}/vitest.config.mjs`, 'export default {}\n')
  const { status, said } = run(FOLDER, resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', FOLDER)
  expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(/6 passed/) })
})
