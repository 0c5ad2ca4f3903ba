// Triggers that were dropped, disabled or changed are found on either engine.
import { expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { ALL_TABLES, openTestDatabase } from '../../testing/open-database.ts'
import { findWrongTrigger } from './triggers.ts'

onEachEngine('triggers', (place, engine) => {
  const CHANGES: [what: string, statement: string, problem: string][] =
    engine === 'sqlite'
      ? [
          [
            'a trigger that was dropped',
            'DROP TRIGGER wallet_line_keeps',
            'the trigger "wallet_line_keeps" is missing or disabled',
          ],
          [
            'a trigger that does nothing any more',
            'CREATE TRIGGER wallet_line_stays BEFORE DELETE ON wallet_line BEGIN SELECT 1; END',
            'the trigger "wallet_line_stays" was changed',
          ],
        ]
      : [
          [
            'a trigger that was dropped',
            'DROP TRIGGER wallet_line_keeps ON wallet_line',
            'the trigger "wallet_line_keeps" is missing or disabled',
          ],
          [
            'a trigger that was disabled',
            'ALTER TABLE audit_event DISABLE TRIGGER audit_event_keeps_young',
            'the trigger "audit_event_keeps_young" is missing or disabled',
          ],
          [
            'a function that does nothing any more',
            'CREATE OR REPLACE FUNCTION wallet_line_keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
            'the function of the trigger "wallet_line_keeps" was changed',
          ],
        ]

  test.each(CHANGES)('%s', async (_what, statement, problem) => {
    const database = await openTestDatabase(await place())
    expect(await findWrongTrigger(database, ALL_TABLES)).toBeNull()
    const [, again] = /^CREATE TRIGGER (\w+)/.exec(statement) ?? []
    if (again !== undefined) await database.run(`DROP TRIGGER ${again}`)
    await database.run(statement)
    expect(await findWrongTrigger(database, ALL_TABLES)).toBe(problem)
    await database.close()
  })
})
