// No pattern may take more than linear time, whatever text it is given: one request must not be able to stop the event
// loop.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { analyse } from 'scslre'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

type Found = { at: string; source: string; flags: string }

/** Code that runs in a server. In the browser a visitor could only slow down their own page. */
const SERVED = /^(?:contract|kit|tenant-proxy|service|portal|demo)\/.*(?<!\.test)\.tsx?$/

function regexesOf(file: string): Found[] {
  const code = readFileSync(file, 'utf8')
  const found: Found[] = []
  const { program } = parseSync(file, code)
  JSON.stringify(program, (key, value) => {
    if (key === 'regex') found.push({ at: file, source: value.pattern, flags: value.flags })
    return typeof value === 'bigint' ? String(value) : value
  })
  return found
}

function isSuperLinear({ source, flags }: Pick<Found, 'source' | 'flags'>): boolean {
  const literal = { source, flags }
  return analyse(literal, { reportTypes: { Move: true, Trade: true, Self: true } }).reports.length > 0
}

test('no pattern of a server is super-linear', () => {
  const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => SERVED.test(file))
  const regexes = files.flatMap(regexesOf)
  expect(regexes.length).toBeGreaterThan(100)
  expect(regexes.filter(isSuperLinear).map(({ at, source }) => `${at}: /${source}/`)).toEqual([])
})

test('the check names a pattern that takes quadratic time', () => {
  expect(isSuperLinear({ source: '\\s*;\\s*q=', flags: '' })).toBe(true)
})
