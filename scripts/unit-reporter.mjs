// Vitest's reporter for `npm test`.
import { relative } from 'node:path'
import { describe, Progress, writeResult } from './test-report.mjs'

export default class UnitReporter {
  #progress = new Progress('unit test files')

  onTestRunStart(specifications) {
    this.#progress.begin(specifications.length)
  }

  onTestModuleEnd(module) {
    this.#progress.count(module.state() === 'failed')
  }

  onTestRunEnd(modules, unhandledErrors) {
    const result = { ran: 0, skipped: [], flaky: [], failures: [], files: [] }
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId)
      result.files.push([file, module.diagnostic().duration / 1_000])
      // An error outside a test: the file does not load, or its beforeAll fails.
      for (const suite of [module, ...module.children.allSuites()])
        for (const error of suite.errors())
          result.failures.push({
            name: suite.fullName ?? file,
            file,
            again: `npx vitest run ${file}`,
            ...describe(error),
          })
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'skipped') result.skipped.push(`${file}: ${test.fullName}`)
        else result.ran += 1
        if (test.diagnostic()?.flaky) result.flaky.push(`${file}: ${test.fullName}`)
        if (state !== 'failed') continue
        const again = `npx vitest run ${file} -t ${quote(test.fullName)}`
        result.failures.push({ name: test.fullName, file, again, ...describe(errors[0]) })
      }
    }
    const seen = new Set()
    for (const error of unhandledErrors) {
      // Vitest names the file that ran when the error came up.
      const file = error.VITEST_TEST_PATH ? relative(process.cwd(), error.VITEST_TEST_PATH) : ''
      const { message } = describe(error)
      if (seen.has(file + message)) continue
      seen.add(file + message)
      result.failures.push({ name: 'unhandled error', file, again: `npx vitest run ${file}`, message })
    }
    writeResult(result)
  }
}

/** For `-t`, which takes a pattern and joins the names of suites with spaces. */
function quote(fullName) {
  const pattern = fullName.replaceAll(' > ', ' ').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return `'${pattern.replaceAll("'", String.raw`'\''`)}'`
}
