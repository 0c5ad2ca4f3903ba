// Which test files took longest, from what Vitest and Playwright write about a run.
const NAMED = 3

/** Seconds per file, from Vitest's JSON. */
export function readUnitRun({ testResults }, root) {
  return testResults.map(({ name, startTime, endTime }) => [name.slice(root.length), (endTime - startTime) / 1_000])
}

/** The same from Playwright's: what its tests took together, though they may have run side by side. */
export function readBrowserRun({ suites }) {
  return suites.map((suite) => [`e2e/${suite.file}`, sumMs(suite) / 1_000])
}

function sumMs({ suites = [], specs = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
  return results.reduce((sum, { duration }) => sum + duration, 0) + suites.reduce((sum, inner) => sum + sumMs(inner), 0)
}

/** The slowest first: `a.test.ts 12.3 s, b.test.ts 4.5 s`. */
export function describeSlowest(files) {
  return files
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, NAMED)
    .map(([file, seconds]) => `${file} ${seconds.toFixed(1)} s`)
    .join(', ')
}
