// @vitest-environment happy-dom
// docs/auditor/device-signals.md promises that the script reads what its table lists, and nothing else.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { collect } from './sources.ts'

const [, table = ''] =
  /## What is sent\n([\s\S]*?)\nThe service adds/.exec(readFileSync('docs/auditor/device-signals.md', 'utf8')) ?? []
const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \| (.+) \|$/gm)]

test('each signal has a row with an example, its purpose and how long it is kept, in the order it is sent', () => {
  expect(rows.map(([, name]) => name)).toEqual(
    collect()
      .split('&')
      .map((pair) => pair.split('=')[0]),
  )
})
