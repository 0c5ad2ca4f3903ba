import pg from 'pg'
import { expect, test } from 'vitest'
import { ConstraintViolation, DatabaseUnavailable } from '../../service/store/database.ts'
import { createBatches, type Statement } from './postgres-batches.ts'
import { StepFailed, type StepResult } from './postgres-together.ts'

const LOCK = 'SELECT balance_credits FROM wallet WHERE tenant_id = ? FOR NO KEY UPDATE'
const refusal = { error: () => new RangeError('refused') }

type Sent = readonly Statement[]

/** A server that answers each statement with its place in the group; `fail` says which one fails, if any. */
function createServer(fail: (sent: Sent) => unknown = () => null) {
  const groups: string[][] = []
  const batches = createBatches(async (sent) => {
    groups.push(sent.map(({ sql, values }) => `${sql} ${values.join(' ')}`.trim()))
    const failure = fail(sent)
    if (failure) throw failure
    return sent.map((_, index): StepResult => ({ rows: index % 2 === 0 ? [] : [{ index }], count: index }))
  })
  return { groups, batches }
}

const serverSays = (code: string, constraint?: string) =>
  Object.assign(new pg.DatabaseError('what the server says', 1, 'error'), { code, constraint })
const failAt = (name: string, cause: unknown) => (sent: Sent) => {
  const index = sent.findIndex(({ sql }) => sql.includes(name))
  return index === -1 ? null : new StepFailed(index, cause)
}

test('a batch is sent whole, behind the lock of its lender, and each statement gets its own answer', async () => {
  const { groups, batches } = createServer()
  const answers = await batches.submit('acme', (queries) =>
    Promise.all([
      queries.run('ONE ?', 5),
      queries.all('TWO'),
      queries.first('THREE'),
      queries.first('FOUR'),
      queries.must(refusal, 'SELECT FIVE'),
      queries.must(refusal, 'UPDATE SIX'),
    ]),
  )
  expect(answers).toEqual([1, [], { index: 3 }, null, { index: 5 }, {}])
  const checked = (sql: string) =>
    `WITH step AS (${sql})\n      SELECT step.* FROM (SELECT 1 / COUNT(*) AS found FROM step) AS checked LEFT JOIN step ON found >= 0`
  expect(groups).toEqual([
    [
      `${LOCK} acme`,
      'ONE ? 5',
      'TWO',
      'THREE',
      'FOUR',
      checked('SELECT FIVE'),
      checked('UPDATE SIX RETURNING 1 AS changed'),
    ],
  ])
})

test('what a lender asks for at the same moment is one group; another lender’s is another', async () => {
  const { groups, batches } = createServer()
  const asked = ['a', 'b', 'c'].map((name) => batches.submit('acme', (queries) => queries.run(name)))
  const other = batches.submit('other', (queries) => queries.run('d'))
  expect(await Promise.all(asked)).toEqual([1, 2, 3])
  expect(await other).toBe(1)
  expect(groups).toEqual([
    [`${LOCK} acme`, 'a', 'b', 'c'],
    [`${LOCK} other`, 'd'],
  ])
  await batches.submit('acme', (queries) => queries.run('later'))
  expect(groups.at(-1)).toEqual([`${LOCK} acme`, 'later'])
})

test('a group has thirty-two at most; the rest wait for the next', async () => {
  const { groups, batches } = createServer()
  await Promise.all(
    Array.from({ length: 70 }, (_, index) => batches.submit('acme', (queries) => queries.run(`${index}`))),
  )
  expect(groups.map((group) => group.length)).toEqual([33, 33, 7])
})

test.each([
  ['finds nothing', '22012', undefined],
  ['breaks the rule that means the same', '23514', 'balance_not_negative'],
])('a statement that %s has the error it was given', async (_what, code, constraint) => {
  const { batches } = createServer(failAt('second', serverSays(code, constraint)))
  const unless = { ...refusal, constraint: 'balance_not_negative' }
  const broken = batches.submit('acme', (queries) =>
    Promise.all([queries.run('first'), queries.must(unless, 'UPDATE second'), queries.run('third')]),
  )
  await expect(broken).rejects.toThrow('refused')
})

test.each<[string, string, unknown, unknown]>([
  ['another rule', 'second', serverSays('23505', 'one_of_each'), ConstraintViolation],
  ['a division that was no check', 'first', serverSays('22012'), pg.DatabaseError],
  ['a rule, where nothing must change', 'first', serverSays('23514', 'balance_not_negative'), ConstraintViolation],
  ['the lock', 'FOR NO KEY UPDATE', serverSays('57014'), DatabaseUnavailable],
  ['the lock, as a check would', 'FOR NO KEY UPDATE', serverSays('22012'), pg.DatabaseError],
])('what else fails keeps its own words: %s', async (_what, at, cause, kind) => {
  const { batches } = createServer(failAt(at, cause))
  const unless = { ...refusal, constraint: 'balance_not_negative' }
  const broken = batches.submit('acme', (queries) =>
    Promise.all([queries.run('first'), queries.must(unless, 'UPDATE second')]),
  )
  await expect(broken).rejects.toThrow(kind as typeof Error)
})

test('of a group in which one fails each is run again by itself, and only that one is refused', async () => {
  const { groups, batches } = createServer(failAt('bad', serverSays('22012')))
  const outcomes = await Promise.allSettled(
    ['a', 'UPDATE bad', 'c'].map((name) => batches.submit('acme', (queries) => queries.must(refusal, name))),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: 'refused' } })
  expect(groups.map((group) => group.length)).toEqual([4, 2, 2, 2])
})

test('a database that is away refuses the whole group at once', async () => {
  const { groups, batches } = createServer(() => new DatabaseUnavailable('57P01'))
  const outcomes = await Promise.allSettled(
    ['a', 'b'].map((name) => batches.submit('acme', (queries) => queries.run(name))),
  )
  expect(outcomes).toMatchObject([{ reason: { code: '57P01' } }, { reason: { code: '57P01' } }])
  expect(groups).toHaveLength(1)
})

test('work is not left waiting for a statement that failed', async () => {
  const { batches } = createServer(() => new DatabaseUnavailable('57P01'))
  const heard: unknown[] = []
  const asked = batches.submit('acme', (queries) =>
    Promise.all(['a', 'b'].map((name) => queries.run(name).catch((error) => heard.push(error.code)))),
  )
  await expect(asked).rejects.toMatchObject({ code: '57P01' })
  expect(heard).toEqual(['57P01', '57P01'])
})

test('work that fails before anything is sent sends nothing, and harms no other', async () => {
  const { groups, batches } = createServer()
  const outcomes = await Promise.allSettled([
    batches.submit('acme', (queries) => queries.run('a')),
    batches.submit('acme', async (queries) => {
      void queries.run('b')
      throw new RangeError('on purpose')
    }),
  ])
  expect(outcomes).toMatchObject([{ value: 1 }, { reason: { message: 'on purpose' } }])
  expect(groups).toEqual([[`${LOCK} acme`, 'a']])
})

test('a batch asks for everything at once', async () => {
  const { batches } = createServer()
  const late = batches.submit('acme', async (queries) => {
    await queries.run('first')
    return queries.run('second')
  })
  await expect(late).rejects.toThrow('a batch asks for everything at once')
  expect(await batches.submit('acme', (queries) => queries.run('next'))).toBe(1)
})

test('a server that answers less than it was asked has nothing for the rest', async () => {
  const batches = createBatches(async () => [])
  const asked = batches.submit('acme', (queries) =>
    Promise.all([queries.run('a'), queries.all('b'), queries.first('c')]),
  )
  expect(await asked).toEqual([0, [], null])
})
