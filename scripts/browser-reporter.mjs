// Playwright's reporter for `npm test`.
import { relative } from 'node:path'
import { describe, Progress, writeResult } from './test-report.mjs'

export default class BrowserReporter {
  #progress = new Progress('browser tests')
  #suite

  printsToStdio() {
    return true
  }

  onBegin(_config, suite) {
    this.#suite = suite
    this.#progress.begin(suite.allTests().length)
  }

  onTestEnd(test, { status, retry }) {
    if (status === test.expectedStatus || retry === test.retries) this.#progress.count(status !== test.expectedStatus)
  }

  // Errors outside a test, such as a spec that does not load.
  #errors = []
  onError(error) {
    this.#errors.push(error)
  }

  onEnd() {
    const result = { ran: 0, skipped: [], flaky: [], failures: [], files: [] }
    const secondsByFile = new Map()
    for (const test of this.#suite?.allTests() ?? []) {
      const file = relative(process.cwd(), test.location.file)
      const name = test.titlePath().slice(3).join(' › ')
      const seconds = test.results.reduce((sum, { duration }) => sum + duration, 0) / 1_000
      secondsByFile.set(file, (secondsByFile.get(file) ?? 0) + seconds)
      const outcome = test.outcome()
      if (outcome === 'skipped') result.skipped.push(`${file}: ${name}`)
      else result.ran += 1
      if (outcome === 'flaky') result.flaky.push(`${file}: ${name}`)
      if (outcome !== 'unexpected') continue
      const again = `npx playwright test ${file}:${test.location.line}`
      result.failures.push({ name, file, again, ...describe(test.results.at(-1)?.error) })
    }
    for (const error of this.#errors)
      result.failures.push({ name: 'error outside a test', file: '', again: 'npx playwright test', ...describe(error) })
    result.files = [...secondsByFile]
    writeResult(result)
  }
}
