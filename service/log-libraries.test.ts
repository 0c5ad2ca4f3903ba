// In a process of its own: the subject is what reaches its standard output and standard error.
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve as absolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const bundle = 'dist/log-libraries-test'
beforeAll(() =>
  build({ configFile: false, logLevel: 'error', build: { ssr: 'service/log-libraries.ts', outDir: bundle } }),
)
afterAll(() => rmSync(bundle, { recursive: true }))

test('what Node and libraries print becomes lines of the log, without their words', () => {
  const script = `
    import { logLibraries } from ${JSON.stringify(pathToFileURL(absolute(bundle, 'log-libraries.js')).href)}
    const say = (level) => (event, fields) => process.stdout.write(JSON.stringify({ level, event, ...fields }) + '\\n')
    logLibraries({ debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') })
    console.info('library NOTICE: ada is here')
    console.error(Object.assign(new RangeError('ada'), { code: 'E_RANGE' }))
    process.emitWarning('ada', { type: 'DeprecationWarning', code: 'DEP0000' })`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', event: 'library message', errorAt: expect.any(String) },
    { level: 'error', event: 'library message', errorClass: 'RangeError', errorCode: 'E_RANGE' },
    { level: 'warn', event: 'warning', errorClass: 'DeprecationWarning', errorCode: 'DEP0000' },
  ])
  expect(stdout).not.toContain('ada')
})
