import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

export const walletDayColumns = {
  tenant_id: 'text',
  day: 'text',
  item: 'text',
  lines: 'integer',
  credits: 'integer',
  held_credits: 'integer',
} as const
export type WalletDayRow = RowOf<typeof walletDayColumns>

/** The part of a statement that a line belongs to. `line`: the row's name in the query. */
export const itemOf = (line: string) => `CASE
    WHEN ${line}.kind = 'top-up' AND ${line}.report_id IS NOT NULL THEN 'given-back'
    WHEN ${line}.reason IS NOT NULL THEN 'correction'
    WHEN ${line}.kind = 'top-up' THEN 'top-up' ELSE ${line}.purpose END`

/**
 * The UK day of a line: summer time runs from the last Sunday of March to the last of October, and changes at 01:00
 * UTC.
 */
const DAY_OF_LINE = {
  sqlite: `(
    SELECT date(seconds + CASE
      WHEN seconds >= unixepoch(strftime('%Y', seconds, 'unixepoch') || '-03-25', 'weekday 0', '+1 hour')
        AND seconds < unixepoch(strftime('%Y', seconds, 'unixepoch') || '-10-25', 'weekday 0', '+1 hour')
      THEN 3600 ELSE 0 END, 'unixepoch')
    FROM (SELECT NEW.created_at_ms / 1000 AS seconds))`,
  postgres: `to_char(to_timestamp(NEW.created_at_ms / 1000) AT TIME ZONE 'Europe/London', 'YYYY-MM-DD')`,
}

const addLine = (engine: 'sqlite' | 'postgres') => {
  // Only a top-up or a capture is a line of a statement.
  return `
    INSERT INTO wallet_day (tenant_id, day, item, lines, credits, held_credits)
    VALUES (NEW.tenant_id, ${DAY_OF_LINE[engine]}, ${itemOf('NEW')},
      CASE WHEN NEW.kind IN ('top-up', 'capture') THEN 1 ELSE 0 END,
      CASE NEW.kind WHEN 'top-up' THEN NEW.credits WHEN 'capture' THEN -NEW.credits ELSE 0 END,
      CASE NEW.kind WHEN 'top-up' THEN 0 WHEN 'hold' THEN NEW.credits ELSE -NEW.credits END)
    ON CONFLICT (tenant_id, day, item) DO UPDATE SET lines = wallet_day.lines + excluded.lines,
      credits = wallet_day.credits + excluded.credits, held_credits = wallet_day.held_credits + excluded.held_credits;`
}

export const statementTables: Migration = {
  name: 'statement',
  statements: ({ engine, integer, clustered }) => [
    // The sums of a lender's lines of a UK day. A statement opens with the sum of the days before it.
    `CREATE TABLE wallet_day (
      tenant_id TEXT NOT NULL REFERENCES wallet (tenant_id),
      day TEXT NOT NULL,
      item TEXT NOT NULL,
      lines ${integer} NOT NULL,
      -- Above 0: paid in or given back. Below 0: charged.
      credits ${integer} NOT NULL,
      -- How much more was held at the end of the day than at its beginning.
      held_credits ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, day, item)
    ) ${clustered}`,
    // The lines of a statement, in its order. Holds and releases are not on it.
    `CREATE INDEX wallet_line_booked ON wallet_line (tenant_id, created_at_ms, sequence) WHERE kind IN ('capture', 'top-up')`,
    ...(engine === 'sqlite'
      ? [`CREATE TRIGGER wallet_line_sums AFTER INSERT ON wallet_line BEGIN ${addLine(engine)} END`]
      : [
          // Named after wallet_line_moves, because triggers fire by name: the wallet's row is locked first, as
          // everywhere.
          `CREATE FUNCTION wallet_line_sums() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF current_setting('search_path') <> '' THEN ${addLine(engine)} END IF; RETURN NULL; END $$`,
          `CREATE TRIGGER wallet_line_sums AFTER INSERT ON wallet_line FOR EACH ROW EXECUTE FUNCTION wallet_line_sums()`,
        ]),
  ],
}
