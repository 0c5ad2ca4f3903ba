import { ONLY_POSTGRES, type Survivors } from './survivor.ts'

export const serviceWallet: Survivors = {
  'service/wallet/reconcile.ts': [
    {
      source: 'sql: `SELECT tenant_id AS id FROM wallet WHERE balance_credits < 0 OR held_credits < 0',
      change: 'OR → AND',
      why: 'The database itself refuses a wallet below zero; the rule is for one whose constraints were dropped.',
    },
    {
      source: "if (row === null) throw new Error('a count returned no row')",
      change: 'row === null → false',
      why: 'A count always returns a row; the line is there for the type.',
    },
    {
      source: "if (row === null) throw new Error('a count returned no row')",
      change: "throw new Error('a count returned no row') → ;",
      why: 'A count always returns a row; the line is there for the type.',
    },
  ],
  'service/wallet/routes.ts': [
    { source: 'limit: limit + 1,', change: '1 → 2', why: 'One row more than is needed is read, and cut off.' },
    {
      source: 'const page: WalletLines = { lines, ...(nextBefore === undefined ? {} : { nextBefore }) }',
      change: 'nextBefore === undefined → false',
      why: 'JSON leaves out what is undefined; the condition is there for the type.',
    },
  ],
  'service/wallet/tables.ts': [
    {
      source: "...(dialect.engine === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS),",
      change: "dialect.engine === 'sqlite' → true",
      why: ONLY_POSTGRES,
    },
    {
      source: '`CREATE TRIGGER wallet_line_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_line',
      change: 'OR → AND',
      why: ONLY_POSTGRES,
    },
    { source: "...(engine === 'sqlite'", change: "engine === 'sqlite' → true", why: ONLY_POSTGRES },
    { source: "engine === 'sqlite'", change: "engine === 'sqlite' → true", why: ONLY_POSTGRES },
  ],
  'service/wallet/thresholds.ts': [
    {
      source: 'const balanceCredits = wallet?.balance_credits ?? 0',
      change: '0 → 1',
      why: 'Every tenant has a wallet; the default is there for the type.',
    },
  ],
}
