import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findMissing } from './ensure-ready.mjs'

test.each([
  ['nothing', { built: 'not-there', browser: 'not-there' }, /nothing is built yet; run `npm test` once/],
  [
    'a build alone',
    { built: 'package.json', browser: 'not-there' },
    /no browser was looked for yet; run `npm test` once/,
  ],
])('with %s, the browser tests say what to do first', (_what, paths, words) => {
  expect(findMissing(paths)).toMatch(words)
})

test('with both they begin', () => {
  expect(findMissing({ built: 'package.json', browser: 'package.json' })).toBeNull()
})

test('`npx playwright test` in a fresh clone is one line', () => {
  const clone = mkdtempSync(join(tmpdir(), 'fresh-clone-'))
  try {
    for (const part of ['package.json', 'playwright.config.ts', 'scripts', 'e2e'])
      cpSync(part, join(clone, part), { recursive: true })
    symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))
    const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/@playwright/test/cli.js', 'test'], {
      cwd: clone,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(`${stdout}${stderr}`.trim().split('\n')).toEqual([expect.stringContaining('nothing is built yet')])
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})
