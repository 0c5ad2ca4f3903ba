// The runner of commands: finding one, help, the second question before a final one, and the audit trail.
import { userInfo } from 'node:os'
import { describe, expect, test } from 'vitest'
import { UsageError } from '../../kit/command-line.ts'
import { everyMoment } from '../../portal/commands.ts'
import { type Command, Refused } from '../../service/command.ts'
import type { Database } from '../../service/store/database.ts'
import type { Migration } from '../../service/store/migration.ts'
import { operateTestService } from '../../testing/admin.ts'
import { runAdmin } from './run-admin.ts'

const { app, folder } = operateTestService()

const reads: Command = {
  name: 'lender show',
  usage: 'TENANT',
  summary: 'shows one',
  role: 'reader',
  run: async () => 0,
}
const lists: Command = { name: 'lender list', usage: '', summary: 'shows all', role: 'reader', run: async () => 0 }
const books: Command = {
  name: 'book',
  usage: 'TENANT [CREDITS]',
  summary: 'books',
  role: 'operator',
  isFinal: ({ words }) => words[1] === 'all',
  run: async () => 0,
}
const ends: Command = { ...books, name: 'end everything', usage: '', summary: 'ends', isFinal: () => true }

type Options = {
  commands?: readonly Command[]
  tables?: readonly Migration[]
  ask?: (question: string) => Promise<string>
}

async function run(words: string[], { commands = [reads, lists, books, ends], tables = [], ask }: Options = {}) {
  const printed: string[] = []
  const complaints: string[] = []
  const exitCode = await runAdmin(words, {
    commands,
    tables,
    plugins: everyMoment,
    environment: { DATA_DIR: folder, SECRET_KEY: 'a secret key for tests that is long enough' },
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    ...(ask ? { ask } : {}),
  })
  return { exitCode, printed, complaints }
}

const ALL_HELP = [
  'usage: admin COMMAND',
  '',
  '  lender show TENANT\n      shows one',
  '  lender list\n      shows all',
  '  book TENANT [CREDITS]\n      books',
  '  end everything\n      ends',
  '',
  'Exit codes: 0 done, 1 refused or failed, 2 a wrong command line.',
  'The database is the service’s: DATABASE_URL, or the file below DATA_DIR.',
]
const SHOW_HELP = ['usage: admin lender show TENANT', '      shows one']
const LENDER_HELP = [...ALL_HELP.slice(0, 4), ...ALL_HELP.slice(6)]

describe('help', () => {
  test.each<[string, string[], string[]]>([
    ['nothing typed', [], ALL_HELP],
    ['help for a group', ['help', 'lender'], LENDER_HELP],
    ['one command with -h, and what else was typed', ['lender', 'show', 'acme', '-h'], SHOW_HELP],
  ])('%s: exit code 0', async (_what, words, printed) => {
    expect(await run(words)).toEqual({ exitCode: 0, printed, complaints: [] })
  })

  test('a part of a name is a wrong command line, and lists what begins so', async () => {
    expect(await run(['lender'])).toEqual({ exitCode: 2, printed: [], complaints: LENDER_HELP })
  })

  test('help is a word like any other behind a command', async () => {
    const seen: string[] = []
    const echo: Command = {
      ...reads,
      role: 'reader',
      async run({ words }) {
        seen.push(...words)
        return 0
      },
    }
    expect((await run(['lender', 'show', 'help'], { commands: [echo] })).exitCode).toBe(0)
    expect(seen).toEqual(['help'])
  })
})

describe('a command that does not exist', () => {
  test.each<[string, string[], string]>([
    ['a letter missing', ['bok'], 'there is no command "bok"; did you mean "book"?'],
    ['three letters wrong', ['lxnxer', 'lixt'], 'there is no command "lxnxer lixt"; did you mean "lender list"?'],
    ['four letters wrong', ['lxnxer', 'lixx'], 'there is no command "lxnxer lixx"; "admin help" lists them'],
    ['two words of many are named', ['a', 'b', 'c'], 'there is no command "a b"; "admin help" lists them'],
  ])('%s', async (_what, words, complaint) => {
    expect(await run(words)).toEqual({ exitCode: 2, printed: [], complaints: [complaint] })
  })
})

describe('what cannot be taken back', () => {
  const answering = (answer: string) => {
    const questions: string[] = []
    const ask = async (question: string) => {
      questions.push(question)
      return answer
    }
    return { questions, ask }
  }

  test.each<[string, string[], string, string[], number]>([
    [
      'its last word is typed again',
      ['book', 'acme', 'all'],
      ' all \n',
      ['"book" cannot be taken back. Type all to go on: '],
      0,
    ],
    [
      'another word is not enough',
      ['book', 'acme', 'all'],
      'acme',
      ['"book" cannot be taken back. Type all to go on: '],
      1,
    ],
    [
      'without words it is its name',
      ['end', 'everything'],
      'end everything',
      ['"end everything" cannot be taken back. Type end everything to go on: '],
      0,
    ],
    ['what can be taken back is not asked for', ['book', 'acme', '5'], 'no', [], 0],
    ['nor what is only read', ['lender', 'list'], 'no', [], 0],
  ])('%s', async (_what, words, answer, asked, exitCode) => {
    const { questions, ask } = answering(answer)
    expect((await run(words, { ask })).exitCode).toBe(exitCode)
    expect(questions).toEqual(asked)
  })

  test('without a terminal the command line counts', async () => {
    expect(await run(['end', 'everything'])).toEqual({ exitCode: 0, printed: [], complaints: [] })
  })
})

describe('the audit trail', () => {
  const newest = async () =>
    await app().database.first(
      `SELECT tenant_id, actor_kind, actor_id, actor_name, actor_email, action, object, address, outcome
       FROM audit_event ORDER BY sequence DESC LIMIT 1`,
    )
  const count = async () => (await app().database.first('SELECT COUNT(*) AS many FROM audit_event'))?.many
  const line = {
    actor_kind: 'operator',
    actor_id: userInfo().username,
    actor_name: null,
    actor_email: null,
    address: null,
  }
  const doing = (work: () => Promise<number>) => ({
    commands: [
      { ...books, run: work },
      { ...ends, run: work },
    ],
  })

  test.each<[string, string[], () => Promise<number>, object]>([
    [
      'what ended with an exit code',
      ['book', 'acme'],
      async () => 1,
      { tenant_id: 'acme', action: 'admin book', object: 'acme', outcome: 'failed' },
    ],
    [
      'what was refused, and names no lender',
      ['end', 'everything'],
      async () => {
        throw new Refused('no')
      },
      { tenant_id: '', action: 'admin end everything', object: null, outcome: 'failed' },
    ],
  ])('%s', async (_what, words, work, expected) => {
    await run(words, doing(work))
    expect(await newest()).toEqual({ ...line, ...expected })
  })

  test('one line each; what only reads or changes nothing leaves none', async () => {
    const before = Number(await count())
    await run(['lender', 'list'])
    await run(['book', 'acme'])
    expect(await count()).toBe(before)
    await run(
      ['book', 'acme'],
      doing(async () => 1),
    )
    expect(await count()).toBe(before + 1)
    const writing = (code: number): Command => ({
      ...books,
      role: 'operator',
      run: ({ act }) => act.transaction(async () => 3, 'the object').then(() => code),
    })
    await run(['book', 'acme'], { commands: [writing(0)] })
    expect(await count()).toBe(before + 2)
    expect(await newest()).toMatchObject({ object: 'the object', outcome: 'done' })
    await run(['book', 'acme'], { commands: [writing(1)] })
    expect(await count()).toBe(before + 4)
    expect(await newest()).toMatchObject({ object: 'acme', outcome: 'failed' })
  })
})

describe('what a command ends with', () => {
  const throwing = (error: unknown, role: 'reader' | 'operator' | 'offline' = 'reader') => ({
    commands: [
      {
        ...reads,
        role,
        run: async () => {
          throw error
        },
      } as Command,
    ],
  })

  test.each<[string, unknown, number, string[]]>([
    ['a wrong command line', new UsageError('--what is missing'), 2, ['--what is missing', SHOW_HELP[0] ?? '']],
    ['a refusal', new Refused('there is no such lender'), 1, ['there is no such lender']],
  ])('%s is explained in its own words', async (_what, error, exitCode, complaints) => {
    for (const role of ['reader', 'operator', 'offline'] as const)
      expect(await run(['lender', 'show'], throwing(error, role))).toEqual({ exitCode, printed: [], complaints })
  })

  test('anything else is named by its kind and place, and nothing that it says is shown', async () => {
    const { exitCode, complaints } = await run(['lender', 'show'], throwing(new RangeError('a secret')))
    expect(exitCode).toBe(1)
    expect(complaints).toEqual([expect.stringMatching(/^could not be done: RangeError/)])
    expect(complaints.join()).not.toContain('a secret')
  })

  test('on tables of an older version a command that only reads says what to do, unless it knows better', async () => {
    const future: Migration = { name: 'of-the-future', statements: () => ['CREATE TABLE of_the_future (id TEXT)'] }
    const read: Command = {
      ...lists,
      role: 'reader',
      async run({ database }) {
        await database.all('SELECT id FROM of_the_future')
        return 0
      },
    }
    const tooOld = 'the tables are missing or of an older version: run "migrate", or start this version of the service'
    const onOld = (commands: readonly Command[]) => run(['lender', 'list'], { commands, tables: [future] })
    expect(await onOld([read])).toEqual({ exitCode: 1, printed: [], complaints: [tooOld] })
    expect((await onOld([{ ...lists, run: () => Promise.reject(new Refused('no')) }])).complaints).toEqual(['no'])
    expect((await onOld([lists])).exitCode).toBe(0)
    // With nothing missing it is a fault of the command.
    expect((await run(['lender', 'list'], { commands: [read] })).complaints).toEqual([
      expect.stringMatching(/^could not be done: /),
    ])
  })

  test('on a database of a much newer version every command says so', async () => {
    const { database } = app()
    await database.run(`INSERT INTO migration (name, version, applied_at_ms) VALUES ('of-the-future', '99.0.0', 1)`)
    const failing = { ...lists, run: ({ database }: { database: Database }) => database.run('SELECT 1 FROM none') }
    const newer = [expect.stringMatching(/^version 99\.0\.0 has changed this database/)]
    for (const role of ['reader', 'operator'] as const) {
      const { complaints } = await run(['lender', 'list'], { commands: [{ ...failing, role } as Command] })
      expect(complaints).toEqual(newer)
    }
    await database.run(`DELETE FROM migration WHERE name = 'of-the-future'`)
  })

  test.each(['reader', 'operator'] as const)('the database is closed after a %s, whatever came of it', async (role) => {
    const opened: Database[] = []
    for (const outcome of [0, 1, new Refused('no')]) {
      const keep = async ({ database }: { database: Database }) => {
        opened.push(database)
        await database.all('SELECT name FROM migration')
        if (outcome instanceof Refused) throw outcome
        return outcome
      }
      await run(['lender', 'list'], { commands: [{ ...lists, role, run: keep } as Command] })
    }
    expect(opened).toHaveLength(3)
    for (const database of opened) await expect(database.all('SELECT name FROM migration')).rejects.toThrow()
  })

  test('a command that runs without the database can say who it is in the audit trail', async () => {
    const lines: unknown[] = []
    const offline: Command = {
      ...reads,
      role: 'offline',
      async run(input) {
        lines.push(input.line('the object'), input.line(null))
        await input.noteBegun()
        return 0
      },
    }
    expect((await run(['lender', 'show', 'acme'], { commands: [offline] })).exitCode).toBe(0)
    expect(lines).toEqual([
      expect.objectContaining({ action: 'admin lender show', tenantId: null, object: 'the object' }),
      expect.objectContaining({ actorKind: 'operator', object: null }),
    ])
    const begun = await app().database.first(
      'SELECT tenant_id, object, outcome FROM audit_event ORDER BY sequence DESC LIMIT 1',
    )
    expect(begun).toEqual({ tenant_id: 'acme', object: 'acme', outcome: 'begun' })
  })
})
