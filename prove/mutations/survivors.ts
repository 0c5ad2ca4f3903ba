// Changes that no test can notice, each with the reason: the program does the same with them, or what differs is nothing that
// is promised. `npm run prove -- mutations` breaks on a survivor that is not here, and on a line here that fits nothing.
type Survivor = { file: string; source: string; change: string; why: string }

const ONLY_POSTGRES = 'Only PostgreSQL differs, whose tests this run leaves out.'

export const SURVIVORS: readonly Survivor[] = [
  {
    file: 'service/texts/code.ts',
    source: 'for (let round = 0; ; round += 1) {',
    change: '1 → 2',
    why: 'A second round needs eight unfair words in one digest, which is one code in 10^29.',
  },
  {
    file: 'service/texts/code.ts',
    source: 'for (let offset = 0; offset < mac.length; offset += 4) {',
    change: '< → <=',
    why: 'The end of a digest is reached as rarely.',
  },
  {
    file: 'service/texts/code.ts',
    source: "if (word < FAIR_BELOW) return String(word % CODES).padStart(CODE_LENGTH, '0')",
    change: '< → <=',
    why: 'Only the word 4294000000 itself differs, one in four thousand million: no challenge is known that has it.',
  },
  {
    file: 'service/reports/challenge.ts',
    source: 'if (carriers.some((send) => send <= challenge.sentAtMs.length)) {',
    change: '<= → <',
    why: 'The code of the newest text is fresh, or the challenge has expired further up.',
  },
  {
    file: 'service/reports/challenge.ts',
    source: 'return Math.floor(Math.min(Math.max(0, leftMs), lifetimeMs) / 1000)',
    change: '0 → 1',
    why: 'One millisecond is no second either.',
  },
  {
    file: 'service/wallet/reconcile.ts',
    source: 'sql: `SELECT tenant_id AS id FROM wallet WHERE balance_credits < 0 OR held_credits < 0',
    change: 'OR → AND',
    why: 'The database itself refuses a wallet below zero; the rule is for one whose constraints were dropped.',
  },
  {
    file: 'service/wallet/reconcile.ts',
    source: "if (row === null) throw new Error('a count returned no row')",
    change: 'row === null → false',
    why: 'A count always returns a row; the line is there for the type.',
  },
  {
    file: 'service/wallet/reconcile.ts',
    source: "if (row === null) throw new Error('a count returned no row')",
    change: "throw new Error('a count returned no row') → ;",
    why: 'A count always returns a row; the line is there for the type.',
  },
  {
    file: 'service/wallet/tables.ts',
    source: "...(dialect.engine === 'sqlite' ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS),",
    change: "dialect.engine === 'sqlite' → true",
    why: ONLY_POSTGRES,
  },
  {
    file: 'service/wallet/tables.ts',
    source: '`CREATE TRIGGER wallet_line_keeps BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet_line',
    change: 'OR → AND',
    why: ONLY_POSTGRES,
  },
  {
    file: 'service/wallet/tables.ts',
    source: "engine === 'sqlite'",
    change: "engine === 'sqlite' → true",
    why: ONLY_POSTGRES,
  },
  {
    file: 'service/wallet/thresholds.ts',
    source: 'const balanceCredits = wallet?.balance_credits ?? 0',
    change: '0 → 1',
    why: 'Every tenant has a wallet; the default is there for the type.',
  },
  {
    file: 'service/wallet/routes.ts',
    source: 'limit: limit + 1,',
    change: '1 → 2',
    why: 'One row more than is needed is read, and cut off.',
  },
  {
    file: 'service/wallet/routes.ts',
    source: 'const page: WalletLines = { lines, ...(nextBefore === undefined ? {} : { nextBefore }) }',
    change: 'nextBefore === undefined → false',
    why: 'JSON leaves out what is undefined; the condition is there for the type.',
  },
]
