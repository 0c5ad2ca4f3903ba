// @vitest-environment happy-dom
// A report with missing, null or misspelt fields is drawn, on screen and on paper, and says nothing odd.
import { act, cleanup, render } from '@testing-library/preact'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SAMPLE_PREPARED_AT_MS, samples } from '../../testing/report-samples.ts'
import { drawTheRest, finish } from '../../testing/tasks.ts'
import { LOCALES } from '../strings/locales.ts'
import { createWords as createSharedWords } from '../strings/words.ts'
import { Report, read } from './index.tsx'
import { readReport } from './read-report.ts'
import { ReportPage } from './report-page.tsx'
import { createWords } from './words.ts'

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] })
})
afterAll(() => void vi.useRealTimers())

type Path = readonly string[]

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))]
}

function damage(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement
  // A part that an earlier damage removed has nothing inside to damage.
  if (typeof value !== 'object' || value === null) return value
  const copy: { [key: string]: unknown } = Array.isArray(value) ? Object.assign([], value) : { ...Object(value) }
  if (rest.length === 0 && replacement === GONE) delete copy[key]
  else copy[key] = damage(copy[key], rest, replacement)
  return copy
}

const GONE = Symbol('gone')
/** One of everything, and several of everything. */
const [single, full] = [samples.single?.() ?? {}, samples.default?.() ?? {}]
const insideOf = (report: object) => pathsOf(report).filter((path) => path.length > 0)
const junk = fc.constantFrom<unknown>(GONE, GONE, null, null, undefined, '', 'x', 0, -1, 1.5, 2 ** 60, true, [], {}, [
  null,
])
const ODD = /undefined|NaN|null|\[object|Invalid Date|\{\w+\}/

const common = { test: false, preparedAtMs: SAMPLE_PREPARED_AT_MS, reference: 'REPORT 1', headingLevel: 2 }
const ways = {
  next: null,
  opensUntilMs: 0,
  onSeen: () => undefined,
  onIdle: () => undefined,
  onClose: () => undefined,
}
const shared = createSharedWords('en-GB', await LOCALES['en-GB'].load())

function draw(report: object): string {
  const facts = { ...common, ...finish(read(report, undefined, SAMPLE_PREPARED_AT_MS)) }
  const screen = render(<Report {...facts} {...ways} words={shared} />)
  drawTheRest(screen.container)
  const paper = render(<ReportPage {...facts} words={createWords(shared)} printing isPrivate={false} />)
  const text = `${screen.container.textContent} ${paper.container.textContent}`
  act(() => cleanup())
  return text
}

test('each field of a report can be missing or null', () => {
  for (const path of insideOf(single)) {
    const report = Object(damage(single, path, null))
    const text = draw(report)
    expect(text, path.join('.')).toContain('Your credit report')
    expect(text, path.join('.')).not.toMatch(ODD)
    expect(finish(readReport(damage(single, path, GONE))), path.join('.')).toEqual(finish(readReport(report)))
  }
})

test('any number of them at once, and other things in their place', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...insideOf(full)), junk), { minLength: 1, maxLength: 12 }),
      (changes) => {
        const report = changes.reduce<unknown>((damaged, [path, value]) => damage(damaged, path, value), full)
        const text = draw(Object(report))
        expect(text).toContain('Your credit report')
        expect(text).not.toMatch(ODD)
      },
    ),
    { numRuns: 20, seed: 19 },
  )
})

test('an empty object is a report of which nothing is reported', () => {
  expect(draw({})).toContain('Not reported')
})
