import { expect, test } from 'vitest'
import { DatabaseUnavailable, type Queries } from './database.ts'
import { createGroupCommit } from './group-commit.ts'

/** Writes down the steps of an engine that holds nothing; `fail` makes one of them break. */
function createRecorder(fail: { [step: string]: Error } = {}) {
  const steps: string[] = []
  const step = (name: string) => () => {
    steps.push(name)
    const error = fail[name]
    if (error) throw error
  }
  const queries: Queries = {
    all: async () => [],
    first: async () => null,
    async run(sql) {
      steps.push(sql)
      return 1
    },
    must: async () => ({}),
  }
  const group = createGroupCommit(queries, {
    begin: step('begin'),
    savepoint: step('savepoint'),
    release: step('release'),
    rollbackToSavepoint: step('undo'),
    commit: step('commit'),
    rollback: step('rollback'),
  })
  return { group, steps }
}

test('what is asked for at the same moment shares one commit, in the order it was asked', async () => {
  const { group, steps } = createRecorder()
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => group.submit(async (queries) => queries.run(name))))
  expect(answers).toEqual([1, 1, 1])
  expect(steps).toEqual(['begin', 'a', 'b', 'c', 'commit'])
})

test('no one is answered before the commit', async () => {
  const { group, steps } = createRecorder()
  const answered = group.submit((queries) => queries.run('a')).then(() => steps.push('answered'))
  await answered
  expect(steps.slice(-2)).toEqual(['commit', 'answered'])
})

test('one that fails is undone and reported; the others are committed', async () => {
  const { group, steps } = createRecorder()
  const outcomes = await Promise.allSettled([
    group.submit((queries) => queries.run('a')),
    group.submit(async (queries) => {
      await queries.run('b')
      throw new RangeError('on purpose')
    }),
    group.submit((queries) => queries.run('c')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  const apart = ['savepoint', 'a', 'release', 'savepoint', 'b', 'undo', 'savepoint', 'c', 'release']
  expect(steps).toEqual(['begin', 'a', 'b', 'rollback', 'begin', ...apart, 'commit'])
})

test('one alone that fails is not run again', async () => {
  const { group, steps } = createRecorder()
  await expect(group.submit(() => Promise.reject(new RangeError('on purpose')))).rejects.toThrow('on purpose')
  expect(steps).toEqual(['begin', 'rollback'])
})

test('after a failure nothing is run twice for a while', async () => {
  const { group, steps } = createRecorder()
  const failAgain = () =>
    Promise.allSettled([
      group.submit((queries) => queries.run('a')),
      group.submit(() => Promise.reject(new RangeError('on purpose'))),
    ])
  for (let times = 0; times < 51; times += 1) await failAgain()
  expect(steps.filter((step) => step === 'a')).toHaveLength(52)
  await failAgain()
  expect(steps.filter((step) => step === 'a')).toHaveLength(54)
})

test('a commit that fails fails everyone in it, and the next group starts afresh', async () => {
  const fail: { [step: string]: Error } = { commit: new DatabaseUnavailable('SQLITE_FULL') }
  const { group, steps } = createRecorder(fail)
  const outcomes = await Promise.allSettled([group.submit((q) => q.run('a')), group.submit((q) => q.run('b'))])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(steps.at(-1)).toBe('rollback')
  delete fail.commit
  expect(await group.submit((queries) => queries.run('c'))).toBe(1)
})

test('a database that gives up in the middle takes the whole group with it', async () => {
  const { group, steps } = createRecorder()
  const outcomes = await Promise.allSettled([
    group.submit((queries) => queries.run('a')),
    group.submit(() => Promise.reject(new DatabaseUnavailable('SQLITE_FULL'))),
    group.submit((queries) => queries.run('c')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(steps).not.toContain('commit')
  expect(steps).not.toContain('c')
})

test('a savepoint that cannot be undone leaves nothing half done', async () => {
  const { group, steps } = createRecorder({ undo: new Error('no such savepoint') })
  const outcomes = await Promise.allSettled([
    group.submit((queries) => queries.run('a')),
    group.submit(() => Promise.reject(new RangeError('on purpose'))),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(steps).not.toContain('commit')
  expect(steps.at(-1)).toBe('rollback')
})

test('a database that gives up behind a savepoint takes the whole group with it, and is not asked to go back', async () => {
  const { group, steps } = createRecorder()
  const fail = (error: Error) => group.submit(() => Promise.reject(error))
  await Promise.allSettled([group.submit((queries) => queries.run('a')), fail(new RangeError('on purpose'))])
  steps.length = 0
  const outcomes = await Promise.allSettled([
    group.submit((queries) => queries.run('b')),
    fail(new DatabaseUnavailable('SQLITE_FULL')),
    group.submit((queries) => queries.run('c')),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(outcomes[0]).toMatchObject({ reason: { code: 'SQLITE_FULL' } })
  expect(steps).toEqual(['begin', 'savepoint', 'b', 'release', 'savepoint', 'rollback'])
})

test('a rollback that is refused, because there is nothing to roll back, changes no answer', async () => {
  const { group } = createRecorder({ rollback: new Error('no transaction is active') })
  await expect(group.submit(() => Promise.reject(new RangeError('on purpose')))).rejects.toThrow('on purpose')
  expect(await group.submit((queries) => queries.run('a'))).toBe(1)
})

test('how busy it is: the one writer, and who waits for the next group', async () => {
  const { group } = createRecorder()
  expect(group.load()).toEqual({ inUse: 0, waiting: 0 })
  let loadInside = {}
  const asked = [
    group.submit(async () => {
      loadInside = group.load()
    }),
    group.submit(async () => {}),
  ]
  expect(group.load()).toEqual({ inUse: 1, waiting: 2 })
  await Promise.all(asked)
  expect(loadInside).toEqual({ inUse: 1, waiting: 0 })
  await group.idle()
  expect(group.load()).toEqual({ inUse: 0, waiting: 0 })
})

test('many are committed in groups of a bounded size', async () => {
  const { group, steps } = createRecorder()
  await Promise.all(Array.from({ length: 300 }, (_, index) => group.submit((queries) => queries.run(`${index}`))))
  const ends = steps.flatMap((step, index) => (step === 'commit' ? [index] : []))
  // Besides those in it, each group has its beginning and its end.
  expect(ends).toEqual([129, 259, 305])
})

test('idle waits for everything that was submitted', async () => {
  const { group, steps } = createRecorder()
  void group.submit((queries) => queries.run('a'))
  await group.idle()
  expect(steps.at(-1)).toBe('commit')
  await group.idle()
})

test('lanes take turns: one that asks for much is not served before the others', async () => {
  const { group, steps } = createRecorder()
  const asked = [...Array(200).fill('busy'), 'quiet'].map((lane) => group.submit((queries) => queries.run(lane), lane))
  await Promise.all(asked)
  expect(steps.filter((step) => step === 'busy' || step === 'quiet').indexOf('quiet')).toBe(1)
})
