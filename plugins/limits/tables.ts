import type { Migration } from '../../service/store/migration.ts'
import type { RowOf } from '../../service/store/rows.ts'

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

// A release lowers the spending of the hour and the day it was held in.
const UNCOUNT = `
  UPDATE spend SET
    hour_credits = hour_credits - CASE WHEN hour_started_at_ms <= (SELECT created_at_ms FROM wallet_line WHERE id = NEW.hold_id)
      THEN NEW.credits ELSE 0 END,
    day_credits = day_credits - CASE WHEN day_started_at_ms <= (SELECT created_at_ms FROM wallet_line WHERE id = NEW.hold_id)
      THEN NEW.credits ELSE 0 END
  WHERE tenant_id = NEW.tenant_id AND purpose = NEW.purpose;`

const TRAITS = ['number', 'everywhere', 'prefix', 'source', 'address', 'block', 'site', 'device', 'person', 'tenant']

export const limitTables: Migration = {
  name: 'limits',
  statements: ({ engine, integer, clustered }) => [
    // One row per purpose with caps. The counters belong to the hour and the day that began then.
    `CREATE TABLE spend (
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      purpose TEXT NOT NULL CHECK (purpose IN ('report', 'text')),
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
    // One row for each report that searched a person's file, kept for a day. An index of the place, never the person.
    `CREATE TABLE person_search (
      report_id TEXT PRIMARY KEY,
      place_index TEXT NOT NULL,
      claimed_at_ms ${integer} NOT NULL
    ) ${clustered}`,
    `CREATE INDEX person_search_of_place ON person_search (place_index, claimed_at_ms)`,
    `CREATE INDEX person_search_age ON person_search (claimed_at_ms)`,
    // One row for each text that was allowed to leave, kept for a day. Indexes of traits, never the traits themselves.
    `CREATE TABLE text_claim (
      report_id TEXT NOT NULL,
      send_number ${integer} NOT NULL,
      ${TRAITS.map((trait) => `${trait}_index TEXT NOT NULL`).join(', ')},
      claimed_at_ms ${integer} NOT NULL,
      PRIMARY KEY (report_id, send_number)
    )`,
    ...TRAITS.map((trait) => `CREATE INDEX text_claim_of_${trait} ON text_claim (${trait}_index, claimed_at_ms)`),
    `CREATE INDEX text_claim_age ON text_claim (claimed_at_ms)`,
    // Claims with a trait in common wait for each other here, so that two at once cannot both be the last allowed.
    `CREATE TABLE text_claim_turn (trait_index TEXT PRIMARY KEY, taken_at_ms ${integer} NOT NULL)`,
    `CREATE INDEX text_claim_turn_age ON text_claim_turn (taken_at_ms)`,
  ],
}
