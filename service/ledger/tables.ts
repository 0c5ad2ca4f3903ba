import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const walletColumns = {
  tenant_id: 'text',
  balance_credits: 'integer',
  held_credits: 'integer',
} as const
export type WalletRow = RowOf<typeof walletColumns>

export const walletLineColumns = {
  sequence: 'integer',
  id: 'text',
  tenant_id: 'text',
  kind: 'text',
  purpose: 'text',
  credits: 'integer',
  report_id: 'text or null',
  hold_id: 'text or null',
  created_at_ms: 'integer',
  reason: 'text or null',
  agencies_asked: 'integer or null',
  agencies_delivered: 'integer or null',
} as const
export type WalletLineRow = RowOf<typeof walletLineColumns>

export const walletMonthColumns = {
  tenant_id: 'text',
  month: 'text',
  item: 'text',
  lines: 'integer',
  credits: 'integer',
  held_credits: 'integer',
} as const
export type WalletMonthRow = RowOf<typeof walletMonthColumns>

export const spendColumns = {
  tenant_id: 'text',
  purpose: 'text',
  hour_cap: 'integer or null',
  day_cap: 'integer or null',
  hour_started_at_ms: 'integer',
  hour_credits: 'integer',
  day_started_at_ms: 'integer',
  day_credits: 'integer',
} as const
export type SpendRow = RowOf<typeof spendColumns>

export const spendAlertColumns = {
  id: 'text',
  tenant_id: 'text',
  type: 'text',
  purpose: 'text or null',
  period: 'text or null',
  credits: 'integer',
  limit_credits: 'integer',
  created_at_ms: 'integer',
} as const
export type SpendAlertRow = RowOf<typeof spendAlertColumns>

/** Refuses whatever would spend credits a tenant does not have. */
export const BALANCE_CONSTRAINT = 'wallet_balance_not_negative'

export const walletTables: Migration = {
  name: 'wallet',
  statements: (dialect) => [
    `CREATE TABLE wallet (
      tenant_id TEXT PRIMARY KEY REFERENCES tenant (id),
      balance_credits ${dialect.integer} NOT NULL DEFAULT 0,
      held_credits ${dialect.integer} NOT NULL DEFAULT 0,
      CONSTRAINT ${BALANCE_CONSTRAINT} CHECK (balance_credits >= 0),
      CONSTRAINT wallet_held_not_negative CHECK (held_credits >= 0)
    )`,
    `CREATE TABLE wallet_line (
      sequence ${dialect.serialKey},
      -- Made from what the line is about, so that writing it twice is refused.
      id TEXT NOT NULL UNIQUE,
      tenant_id TEXT NOT NULL REFERENCES wallet (tenant_id),
      kind TEXT NOT NULL CHECK (kind IN ('top-up', 'hold', 'capture', 'release')),
      purpose TEXT NOT NULL CHECK (purpose IN ('top-up', 'report', 'match', 'sms')),
      credits ${dialect.integer} NOT NULL CHECK (credits >= 0),
      report_id TEXT,
      hold_id TEXT REFERENCES wallet_line (id),
      created_at_ms ${dialect.integer} NOT NULL,
      -- Why an operator gave or took credits. NULL: a payment, or the cost of a report or a text.
      reason TEXT,
      -- The agencies that the price of a report went by. NULL on other lines.
      agencies_asked ${dialect.integer},
      agencies_delivered ${dialect.integer},
      CHECK ((kind IN ('capture', 'release')) = (hold_id IS NOT NULL)),
      CHECK ((kind = 'top-up') = (purpose = 'top-up'))
    )`,
    `CREATE INDEX wallet_line_of_tenant ON wallet_line (tenant_id, sequence)`,
    `CREATE INDEX wallet_line_of_report ON wallet_line (report_id) WHERE report_id IS NOT NULL`,
    // One capture or release per hold, however many processes ask and however often.
    `CREATE UNIQUE INDEX wallet_line_settles_once ON wallet_line (hold_id) WHERE hold_id IS NOT NULL`,
    ...(dialect.engine === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS),
  ],
  grants: { wallet_line: 'SELECT, INSERT' },
}

// Every line moves the balance in its own statement, so that no code path can do one without the other.
const MOVE = `
  UPDATE wallet SET
    balance_credits = balance_credits + CASE NEW.kind
      WHEN 'hold' THEN -NEW.credits WHEN 'capture' THEN 0 ELSE NEW.credits END,
    held_credits = held_credits + CASE NEW.kind
      WHEN 'hold' THEN NEW.credits WHEN 'top-up' THEN 0 ELSE -NEW.credits END
  WHERE tenant_id = NEW.tenant_id;`

const APPEND_ONLY = 'wallet lines are never changed or deleted'

const SQLITE_TRIGGERS: string[] = [
  `CREATE TRIGGER wallet_line_moves AFTER INSERT ON wallet_line BEGIN ${MOVE} END`,
  `CREATE TRIGGER wallet_line_keeps BEFORE UPDATE ON wallet_line BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
  `CREATE TRIGGER wallet_line_stays BEFORE DELETE ON wallet_line BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
]

const POSTGRES_TRIGGERS: string[] = [
  // pg_dump's output is read back under an empty search path, where the function would find no wallet: balances are restored
  // as they were, not moved by every line again.
  `CREATE FUNCTION wallet_line_moves() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF current_setting('search_path') <> '' THEN ${MOVE} END IF; RETURN NULL; END $$`,
  `CREATE TRIGGER wallet_line_moves AFTER INSERT ON wallet_line FOR EACH ROW EXECUTE FUNCTION wallet_line_moves()`,
  `CREATE FUNCTION wallet_line_keeps() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '${APPEND_ONLY}' USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only'; END $$`,
  `CREATE TRIGGER wallet_line_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_line
    FOR EACH STATEMENT EXECUTE FUNCTION wallet_line_keeps()`,
]

// What is given back is no longer spent, in the hour and the day it was held in.
const UNCOUNT = `
  UPDATE spend SET
    hour_credits = hour_credits - CASE WHEN hour_started_at_ms <= (SELECT created_at_ms FROM wallet_line WHERE id = NEW.hold_id)
      THEN NEW.credits ELSE 0 END,
    day_credits = day_credits - CASE WHEN day_started_at_ms <= (SELECT created_at_ms FROM wallet_line WHERE id = NEW.hold_id)
      THEN NEW.credits ELSE 0 END
  WHERE tenant_id = NEW.tenant_id AND purpose = NEW.purpose;`

export const spendTables: Migration = {
  name: 'spend-caps',
  statements: ({ engine, integer }) => [
    // One row per purpose with caps. The counters belong to the hour and the day that began then.
    `CREATE TABLE spend (
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      purpose TEXT NOT NULL CHECK (purpose IN ('report', 'sms')),
      -- NULL: no cap.
      hour_cap ${integer} CHECK (hour_cap >= 0),
      day_cap ${integer} CHECK (day_cap >= 0),
      hour_started_at_ms ${integer} NOT NULL DEFAULT 0,
      hour_credits ${integer} NOT NULL DEFAULT 0,
      day_started_at_ms ${integer} NOT NULL DEFAULT 0,
      day_credits ${integer} NOT NULL DEFAULT 0,
      PRIMARY KEY (tenant_id, purpose)
    )`,
    // Marks that a hold has passed, until the sweeper has announced them: seconds.
    `CREATE TABLE spend_alert (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      type TEXT NOT NULL CHECK (type IN ('wallet.low', 'spend.warning', 'spend.reached')),
      -- Of a spend cap; NULL for the balance.
      purpose TEXT,
      period TEXT,
      -- Spent so far and the cap, or the balance and its threshold.
      credits ${integer} NOT NULL,
      limit_credits ${integer} NOT NULL,
      created_at_ms ${integer} NOT NULL
    )`,
    // Below so many credits a lender gets an event, once until it is above again. NULL: never.
    `ALTER TABLE tenant ADD COLUMN low_balance_credits ${integer} CHECK (low_balance_credits > 0)`,
    ...(engine === 'sqlite'
      ? [
          `CREATE TRIGGER wallet_line_uncounts AFTER INSERT ON wallet_line WHEN NEW.kind = 'release' BEGIN ${UNCOUNT} END`,
        ]
      : [
          `CREATE FUNCTION wallet_line_uncounts() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF current_setting('search_path') <> '' THEN ${UNCOUNT} END IF; RETURN NULL; END $$`,
          `CREATE TRIGGER wallet_line_uncounts AFTER INSERT ON wallet_line FOR EACH ROW WHEN (NEW.kind = 'release')
            EXECUTE FUNCTION wallet_line_uncounts()`,
        ]),
  ],
}

/** What of a statement a line belongs to. `line`: how the row is named in the query. */
export const itemOf = (line: string) => `CASE
    WHEN ${line}.kind = 'top-up' AND ${line}.report_id IS NOT NULL THEN 'given-back'
    WHEN ${line}.reason IS NOT NULL THEN 'correction'
    WHEN ${line}.kind = 'top-up' THEN 'top-up'
    WHEN ${line}.purpose = 'sms' THEN 'text' ELSE ${line}.purpose END`

const addLine = (engine: 'sqlite' | 'postgres') => {
  const month =
    engine === 'sqlite'
      ? `strftime('%Y-%m', NEW.created_at_ms / 1000, 'unixepoch')`
      : `to_char(to_timestamp(NEW.created_at_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`
  // Only a top-up or a capture is a line of a statement.
  return `
    INSERT INTO wallet_month (tenant_id, month, item, lines, credits, held_credits)
    VALUES (NEW.tenant_id, ${month}, ${itemOf('NEW')},
      CASE WHEN NEW.kind IN ('top-up', 'capture') THEN 1 ELSE 0 END,
      CASE NEW.kind WHEN 'top-up' THEN NEW.credits WHEN 'capture' THEN -NEW.credits ELSE 0 END,
      CASE NEW.kind WHEN 'top-up' THEN 0 WHEN 'hold' THEN NEW.credits ELSE -NEW.credits END)
    ON CONFLICT (tenant_id, month, item) DO UPDATE SET lines = wallet_month.lines + excluded.lines,
      credits = wallet_month.credits + excluded.credits, held_credits = wallet_month.held_credits + excluded.held_credits;`
}

export const walletMonthTables: Migration = {
  name: 'wallet-months',
  statements: ({ engine, integer, clustered }) => [
    // What a lender's lines of a UTC month add up to. A statement opens with the sum of the months before it.
    `CREATE TABLE wallet_month (
      tenant_id TEXT NOT NULL REFERENCES wallet (tenant_id),
      month TEXT NOT NULL,
      item TEXT NOT NULL,
      lines ${integer} NOT NULL,
      -- Above 0: paid in or given back. Below 0: charged.
      credits ${integer} NOT NULL,
      -- How much more was held at the end of the month than at its beginning.
      held_credits ${integer} NOT NULL,
      PRIMARY KEY (tenant_id, month, item)
    ) ${clustered}`,
    // The lines of a statement, in its order. Holds and releases are not on it.
    `CREATE INDEX wallet_line_booked ON wallet_line (tenant_id, created_at_ms, sequence) WHERE kind IN ('capture', 'top-up')`,
    ...(engine === 'sqlite'
      ? [`CREATE TRIGGER wallet_line_sums AFTER INSERT ON wallet_line BEGIN ${addLine(engine)} END`]
      : [
          // Named after wallet_line_moves, because triggers fire by name: the wallet's row is locked first, as everywhere.
          `CREATE FUNCTION wallet_line_sums() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF current_setting('search_path') <> '' THEN ${addLine(engine)} END IF; RETURN NULL; END $$`,
          `CREATE TRIGGER wallet_line_sums AFTER INSERT ON wallet_line FOR EACH ROW EXECUTE FUNCTION wallet_line_sums()`,
        ]),
  ],
}
