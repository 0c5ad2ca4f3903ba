// Runs the tests of a room against each mutant: a test must fail, or the mutant has survived.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './find-mutants.ts'

export type Verdict = { mutant: Mutant; outcome: 'killed' | 'survived' | 'timed out' }

const PATIENCE_MS = 10_000
const SLOWNESS_MAX = 4
const BASELINE_LIMIT_MS = 5 * 60_000

type Trial = {
  tests: readonly string[]
  mutants: readonly Mutant[]
  /** Time limit of a mutant, beside four times the duration of the tests without it. */
  patienceMs?: number
  environment?: { [name: string]: string }
}

export async function tryMutants(trial: Trial): Promise<Verdict[]> {
  const { tests, mutants, patienceMs = PATIENCE_MS, environment = {} } = trial
  const runner = createRunner(environment)
  const verdicts: Verdict[] = []
  try {
    const files = [...new Set(mutants.map(({ file }) => file))]
    const durationsMs = await readDurations(runner, tests)
    const quickestFirst = tests.toSorted((a, b) => (durationsMs.get(a) ?? 0) - (durationsMs.get(b) ?? 0))
    // Before the first mutant: a vitest that had to be started anew has loaded nothing, and knows of no importer.
    const importersOf = new Map<string, string[]>()
    for (const file of files) {
      const { importers } = await runner.ask({ file, code: readFileSync(file, 'utf8'), tests: [] }, BASELINE_LIMIT_MS)
      importersOf.set(file, importers)
    }
    for (const file of files) {
      // Its own test comes first: most mutants end there, and it loads little besides.
      const isOwn = (test: string) => test.startsWith(file.replace(/ts$/, ''))
      const importers = quickestFirst.filter((test) => importersOf.get(file)?.includes(test))
      const chosen = importers.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
      const usualMs = chosen.reduce((sum, test) => sum + (durationsMs.get(test) ?? 0), 0)
      for (const mutant of mutants.filter((candidate) => candidate.file === file)) {
        const answer = await runner
          .ask({ file, code: mutant.code, tests: chosen }, patienceMs + SLOWNESS_MAX * usualMs)
          .catch(() => null)
        const outcome = answer === null ? 'timed out' : answer.failed === null ? 'survived' : 'killed'
        verdicts.push({ mutant, outcome })
      }
    }
    return verdicts
  } finally {
    runner.stop()
  }
}

/** The duration of each test file. Throws when one fails with nothing changed: it would kill every mutant. */
async function readDurations(runner: Runner, tests: readonly string[]): Promise<Map<string, number>> {
  const file = tests[0] ?? ''
  const { failed, durationsMs } = await runner.ask({ file, code: readFileSync(file, 'utf8'), tests }, BASELINE_LIMIT_MS)
  if (failed !== null) throw new Error(`${failed} fails with nothing changed`)
  return new Map(Object.entries(durationsMs))
}

type Question = { file: string; code: string; tests: readonly string[] }
type Answer = { failed: string | null; importers: string[]; durationsMs: { [test: string]: number } }
type Runner = { ask(question: Question, limitMs: number): Promise<Answer>; stop(): void }

/** One vitest at a time; after a question it did not answer, a new one. */
function createRunner(environment: { [name: string]: string }): Runner {
  let child: ChildProcess | null = null
  const stop = () => {
    child?.kill('SIGKILL')
    child = null
  }

  async function start(): Promise<ChildProcess> {
    const started = fork(fileURLToPath(new URL('warm-vitest.mjs', import.meta.url)), {
      env: { ...process.env, NODE_ENV: 'test', VITEST: '', ...environment },
      execArgv: [],
    })
    await once(started, 'message')
    return started
  }

  return {
    async ask(question, limitMs) {
      child ??= await start()
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), limitMs)
      try {
        child.send(question)
        const ended = once(child, 'exit', { signal: limit.signal }).then(() =>
          Promise.reject(new Error('vitest ended')),
        )
        const [answer] = await Promise.race([once(child, 'message', { signal: limit.signal }), ended])
        return answer
      } catch (error) {
        stop()
        throw error
      } finally {
        clearTimeout(timer)
        limit.abort()
      }
    },
    stop,
  }
}
