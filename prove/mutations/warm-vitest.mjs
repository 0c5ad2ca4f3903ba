// A vitest that stays warm, in a process that can be killed when a mutant runs for ever. The changed file is handed to it in
// place of the one on the disk, which is never touched.
import { relative, resolve } from 'node:path'
import { createVitest } from 'vitest/node'

/** One thread: a mutant that never ends dies with this process. */
const OPTIONS = { watch: false, pool: 'threads', maxWorkers: 1, isolate: false, bail: 1, reporters: [{}], silent: true }
const LIMITS = { testTimeout: 10_000, hookTimeout: 20_000 }

/** Names kept for each test file. */
const NOTICED_MAX = 5

let changed = { id: '', code: '' }
/** The tests that noticed other mutants of the same file, by test file: they are tried first, because they are the likeliest and one test takes less than all. */
const noticed = new Map()
const vitest = await createVitest(
  'test',
  { ...OPTIONS, ...LIMITS },
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
  process.send({ failed, importers: importersOf(changed.id) })
})
process.on('disconnect', () => process.exit())
process.send('ready')

/** The first of the tests that fails. */
async function firstFailure(tests) {
  for (const test of tests) {
    const names = noticed.get(test)
    if (names && (await isFailing(test, new RegExp(`(?:${names.join('|')})$`)))) return test
  }
  for (const test of tests) if (await isFailing(test)) return test
  return null
}

async function isFailing(test, pattern) {
  const specifications = (await vitest.globTestSpecifications([test])).filter(
    ({ moduleId }) => moduleId === resolve(test),
  )
  if (specifications.length === 0) throw new Error(`there is no test ${test}`)
  if (pattern) vitest.setGlobalTestNamePattern(pattern)
  else vitest.resetGlobalTestNamePattern()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  // It answers with every module it remembers, those that failed for other mutants too.
  const module = testModules.find(({ moduleId }) => moduleId === resolve(test))
  const failed = [...(module?.children.allTests('failed') ?? [])].map(({ name }) => escapeName(name))
  if (failed.length > 0)
    noticed.set(test, [...new Set([...failed, ...(noticed.get(test) ?? [])])].slice(0, NOTICED_MAX))
  return unhandledErrors.length > 0 || !module?.ok()
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
