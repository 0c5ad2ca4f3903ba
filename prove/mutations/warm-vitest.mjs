// A vitest that stays warm, in a process that can be killed when a mutant runs for ever. The changed file is handed to
// it in place of the one on the disk, which is never touched.
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'

/** In the order they were given, the quickest first. */
class AsGiven {
  sort = (specifications) => specifications
  shard = (specifications) => specifications
}

/**
 * One thread: a mutant that never ends dies with this process. Files share it and what it has loaded, as in `npm test`.
 */
const OPTIONS = {
  watch: false,
  pool: 'threads',
  maxWorkers: 1,
  isolate: false,
  bail: 1,
  retry: 0,
  reporters: [{}],
  silent: true,
}
const SEQUENCE = { sequencer: AsGiven }
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 }

/** Names kept for each test file. */
const NOTICED_MAX = 5

let changed = { id: '', code: '' }
/**
 * The tests that noticed other mutants of the same file, by test file: they are tried first, because they are the
 * likeliest and one test takes less than all.
 */
const noticed = new Map()
/** The duration of each test file in its last run. */
const durationsMs = new Map()
const vitest = await createVitest(
  'test',
  { ...OPTIONS, ...LIMITS, sequence: SEQUENCE },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        transform: (_code, id) => (id === changed.id ? { code: changed.code, map: null } : null),
      },
    ],
  },
)
await vitest.standalone()

process.on('message', async ({ file, code, tests }) => {
  if (changed.id !== resolve(file)) noticed.clear()
  changed = { id: resolve(file), code }
  vitest.invalidateFile(changed.id)
  const failed = await firstFailure(tests)
  // Not left in the cache for the next one.
  vitest.invalidateFile(changed.id)
  process.send({ failed, importers: importersOf(changed.id), durationsMs: Object.fromEntries(durationsMs) })
})
process.on('disconnect', () => process.exit())
process.send('ready')

/** The first of the tests that fails. */
async function firstFailure(tests) {
  const lastNoticedFirst = [...noticed.keys()].filter((test) => tests.includes(test)).toReversed()
  for (const test of lastNoticedFirst) {
    const failed = await runTests([test], new RegExp(`(?:${noticed.get(test).join('|')})$`))
    if (failed !== null) return failed
  }
  // One, two, four and so on in one go: every file of a run is loaded, also behind one that has failed.
  for (let from = 0, size = 1; from < tests.length; from += size, size *= 2) {
    const failed = await runTests(tests.slice(from, from + size))
    if (failed !== null) return failed
  }
  return null
}

async function runTests(tests, pattern) {
  const specifications = await Promise.all(tests.map(findSpecification))
  if (pattern) vitest.setGlobalTestNamePattern(pattern)
  else vitest.resetGlobalTestNamePattern()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // It answers with every module it remembers, those that failed for other mutants too. Of those that were to run now,
  // the ones after a failure were left out and are remembered as well: they cannot speak where nothing has failed.
  const failed = tests.filter((test) => {
    const module = testModules.find(({ moduleId }) => moduleId === resolve(test))
    const { collectDuration = 0, duration = 0 } = module?.diagnostic() ?? {}
    durationsMs.set(test, collectDuration + duration)
    const names = [...(module?.children.allTests('failed') ?? [])].map(({ name }) => escapeName(name))
    if (names.length > 0) {
      const known = noticed.get(test) ?? []
      noticed.delete(test)
      noticed.set(test, [...new Set([...names, ...known])].slice(0, NOTICED_MAX))
    }
    return !module?.ok()
  })
  return failed[0] ?? (unhandledErrors.length > 0 ? tests[0] : null)
}

const specifications = new Map()

async function findSpecification(test) {
  const known = specifications.get(test)
  if (known) return known
  const found = (await vitest.globTestSpecifications([test])).find(({ moduleId }) => moduleId === resolve(test))
  if (found === undefined) throw new Error(`there is no test ${test}`)
  specifications.set(test, found)
  return found
}

function escapeName(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Every file that imports this one, also by way of others, among what has been loaded so far. */
function importersOf(id) {
  const found = new Set()
  const visit = (module) => {
    if (module.file === null || found.has(module.file)) return
    found.add(module.file)
    for (const importer of module.importers) visit(importer)
  }
  for (const project of vitest.projects)
    for (const { moduleGraph } of Object.values(project.vite.environments))
      for (const module of moduleGraph.getModulesByFile(id) ?? []) visit(module)
  return [...found].map((file) => relative(process.cwd(), file))
}
