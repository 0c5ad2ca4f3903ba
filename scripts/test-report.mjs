// Shared by both reporters: a line of progress while tests run, and the result that scripts/test.mjs reads.
// The result: { ran, skipped: [name], flaky: [name], failures: [{ name, file, again, message }], files: [[file,
// seconds]] }.
import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const PROGRESS_EVERY_MS = 15_000
const MESSAGE_LINES_MAX = 30

export class Progress {
  #part
  #total = 0
  #done = 0
  #failed = 0
  #startedMs = Date.now()
  #printedMs = Date.now()

  constructor(part) {
    this.#part = part
  }

  begin(total) {
    this.#total = total
  }

  count(hasFailed) {
    this.#done += 1
    if (hasFailed) this.#failed += 1
    if (Date.now() - this.#printedMs < PROGRESS_EVERY_MS) return
    this.#printedMs = Date.now()
    const seconds = Math.round((Date.now() - this.#startedMs) / 1_000)
    const failed = this.#failed === 0 ? '' : `, ${this.#failed} failed`
    process.stdout.write(`  ${this.#part}: ${this.#done} of ${this.#total} after ${seconds} s${failed}\n`)
  }
}

export function describe(error) {
  const text = stripVTControlCharacters(error?.stack ?? error?.message ?? 'no message')
  const lines = text.split('\n').slice(0, MESSAGE_LINES_MAX)
  if (error?.diff) lines.push(...stripVTControlCharacters(error.diff).split('\n').slice(0, MESSAGE_LINES_MAX))
  // "fetch failed" says nothing without its cause.
  if (error?.cause?.message) lines.push(`because: ${error.cause.message}`)
  return { message: lines.join('\n') }
}

export function writeResult(result) {
  if (process.env.TEST_RESULT) writeFileSync(process.env.TEST_RESULT, JSON.stringify(result))
}
