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

/** Refuses whatever would spend credits a tenant does not have. */
export const BALANCE_CONSTRAINT = 'wallet_balance_not_negative'

export const ledgerTables: Migration = {
  name: 'ledger',
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
      purpose TEXT NOT NULL CHECK (purpose IN ('top-up', 'report', 'match', 'text')),
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
  // pg_dump's output is read back under an empty search path, where the function would find no wallet: balances are
  // restored as they were, not moved by every line again.
  `CREATE FUNCTION wallet_line_moves() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF current_setting('search_path') <> '' THEN ${MOVE} END IF; RETURN NULL; END $$`,
  `CREATE TRIGGER wallet_line_moves AFTER INSERT ON wallet_line FOR EACH ROW EXECUTE FUNCTION wallet_line_moves()`,
  `CREATE FUNCTION wallet_line_keeps() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '${APPEND_ONLY}' USING ERRCODE = 'check_violation', CONSTRAINT = 'append_only'; END $$`,
  `CREATE TRIGGER wallet_line_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_line
    FOR EACH STATEMENT EXECUTE FUNCTION wallet_line_keeps()`,
]
