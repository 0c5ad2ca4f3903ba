import { ONLY_LOGGED, ONLY_POSTGRES, type Survivors } from './survivor.ts'

export const serviceReports: Survivors = {
  'service/reports/challenge.ts': [
    {
      source: 'if (carriers.some((send) => send <= challenge.sentAtMs.length)) {',
      change: '<= → <',
      why: 'The code of the newest text is fresh, or the challenge has expired further up.',
    },
    {
      source: 'return Math.floor(Math.min(Math.max(0, leftMs), lifetimeMs) / 1000)',
      change: '0 → 1',
      why: 'One millisecond is no second either.',
    },
  ],
  'service/reports/consumer-share.ts': [
    {
      source: 'if (count > Math.max(1, Math.floor(limit * (SHARES[index] ?? 0)))) throw tooMany(clock())',
      change: '0 → 1',
      why: 'There is a share for each of the three owners; the default is there for the type.',
    },
  ],
  'service/reports/end-report.ts': [
    {
      source: 'const settle = isComplete ? capture : release',
      change: 'isComplete → false',
      why: 'Only test mode completes with the code alone, and it holds nothing.',
    },
  ],
  'service/reports/erase-report.ts': [
    {
      source: 'await queries.run(lock, creditReportId)',
      change: 'await queries.run(lock, creditReportId) → ;',
      why: ONLY_POSTGRES,
    },
  ],
  'service/reports/finish-report.ts': [
    {
      source: 'const kept = { outcome: said.data.status, costCredits: said.costCredits, sends: 1, timeTakenMs }',
      change: '1 → 2',
      why: 'How many texts there were is read for a resend alone.',
    },
  ],
  'service/reports/finish-verified.ts': [
    {
      source: 'if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error',
      change: 'error instanceof ApiError || error instanceof DatabaseUnavailable → false',
      why: 'A database that is away is a 503 either way, in other words.',
    },
    {
      source: 'if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error',
      change: '|| → &&',
      why: 'A database that is away is a 503 either way, in other words.',
    },
    {
      source: "log.warn('verified challenge left to its lease', { creditReportId, ...describeError(failure) }),",
      change: "log.warn('verified challenge left to its lease', { creditReportId, ...describeEr… → (undefined)",
      why: ONLY_LOGGED,
    },
    {
      source: 'if (error instanceof CameTooLate) {',
      change: 'error instanceof CameTooLate → true',
      why: 'A bureau that is away is answered in the same words; only a line of the log differs.',
    },
    {
      source: 'if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error',
      change: 'throw error → ;',
      why: 'A database that is away is a 503 either way, in other words.',
    },
  ],
  'service/reports/generate-answer.ts': [
    {
      source: 'if (report?.challengeId == null) throw reportNotFound()',
      change: 'report?.challengeId == null → false',
      why: 'A key is forgotten before the report it stands for.',
    },
    {
      source: 'if (report?.challengeId == null) throw reportNotFound()',
      change: 'throw reportNotFound() → ;',
      why: 'A key is forgotten before the report it stands for.',
    },
  ],
  'service/reports/generate-live.ts': [
    {
      source: 'const PRICES_MAX = 10_000',
      change: '10_000 → 0',
      why: 'A price that is not remembered is asked for: one question more, which is counted in a test this run leaves out.',
    },
    {
      source: 'prices.set(tenantId, reportPriceCredits)',
      change: 'prices.set(tenantId, reportPriceCredits) → ;',
      why: 'A price that is not remembered is asked for: one question more, which is counted in a test this run leaves out.',
    },
    {
      source: 'if (!(error instanceof OtherPrice)) throw error',
      change: '!(error instanceof OtherPrice) → false',
      why: 'What refused the first attempt refuses the second as well.',
    },
    {
      source: 'if (!(error instanceof OtherPrice)) throw error',
      change: 'throw error → ;',
      why: 'What refused the first attempt refuses the second as well.',
    },
    {
      source: 'if (error instanceof CameTooLate) return',
      change: 'error instanceof CameTooLate → true',
      why: ONLY_LOGGED,
    },
    {
      source: 'if (error instanceof CameTooLate) return',
      change: 'error instanceof CameTooLate → false',
      why: ONLY_LOGGED,
    },
  ],
  'service/reports/generate-test.ts': [
    {
      source: 'const kept = { outcome: result.data.status, sends: 1, ...answer }',
      change: '1 → 2',
      why: 'How many texts there were is read for a resend alone.',
    },
    {
      source: 'if (!isFinished(use)) throw inProgress()',
      change: '!isFinished(use) → false',
      why: 'A trial takes its key in the transaction that ends it: no key of one is unfinished.',
    },
    {
      source: 'if (!isFinished(use)) throw inProgress()',
      change: 'throw inProgress() → ;',
      why: 'A trial takes its key in the transaction that ends it: no key of one is unfinished.',
    },
  ],
  'service/reports/keep-lease.ts': [
    {
      source: 'const isOurs = await renewLease(database, { ...work, nextMs }).catch(() => false)',
      change: 'false → (undefined)',
      why: 'Nothing is as good as false.',
    },
  ],
  'service/reports/merge.ts': [
    {
      source: "return IRREGULAR_SPACE.test(name) ? name.replace(/\\s+/g, ' ') : name",
      change: 'IRREGULAR_SPACE.test(name) → true',
      why: 'A name without such spaces stays as it is; looking first only saves time.',
    },
    { source: 'return one < other ? -1 : one > other ? 1 : 0', change: '1 → 2', why: 'Only the sign counts.' },
  ],
  'service/reports/query-bureaus.ts': [
    {
      source: "signal.addEventListener('abort', pass, { once: true })",
      change: 'true → false',
      why: 'A signal aborts once.',
    },
  ],
  'service/reports/read-report.ts': [
    {
      source:
        'const wanted = { tenantId, externalReference: externalReference ?? null, after: after ?? null, limit: limit + 1 }',
      change: '1 → 2',
      why: 'One row more than is needed is read, and cut off.',
    },
    {
      source: 'return { creditReports, ...(nextAfter === undefined ? {} : { nextAfter }) }',
      change: 'nextAfter === undefined → false',
      why: 'JSON leaves out what is undefined; the condition is there for the type.',
    },
  ],
  'service/reports/resend-text.ts': [
    {
      source: 'for (let races = 0; races < RACES_MAX; races += 1) {',
      change: '0 → 1',
      why: 'One race less is tried; nothing promises how many.',
    },
    {
      source: 'for (let races = 0; races < RACES_MAX; races += 1) {',
      change: '< → <=',
      why: 'One more race is tried; nothing promises how many.',
    },
    {
      source: 'for (let races = 0; races < RACES_MAX; races += 1) {',
      change: '1 → 2',
      why: 'Four races are enough for the two texts that can be lost to others.',
    },
    {
      source: "throw new ApiError('unavailable', 'too many requests for this challenge at once; try again')",
      change: "throw new ApiError('unavailable', 'too many requests for this challenge at once;… → ;",
      why: 'Every lost race is a text or an attempt counted, and a challenge has fewer of them than there are races.',
    },
    {
      source: "const kept = { outcome: 'sent' as const, costCredits: 0, balanceCredits: 0, sends: send, timeTakenMs }",
      change: '0 → 1',
      why: 'What a resend says again has no credits in it.',
    },
    {
      source: 'requireSameBody(known, input.key)',
      change: 'requireSameBody(known, input.key) → ;',
      why: 'The body has the challenge alone, and one with another challenge is refused further up.',
    },
    {
      source: 'if (next !== report.challenge && !(await inTime(database.batch(tenant.id, ended)))) continue',
      change: '! → nothing',
      why: 'It looks again at a challenge that it has ended, and finds it over.',
    },
  ],
  'service/reports/retention.ts': [
    {
      source:
        "'DELETE FROM sealed_report WHERE report_id IN (SELECT report_id FROM sealed_report WHERE report_id < ? ORDER BY report_id LIMIT ?)',",
      change: '< → <=',
      why: 'The bound is shorter than any id, so none is equal to it.',
    },
    {
      source: 'FROM (SELECT id FROM credit_report WHERE id > ? AND id < ? ORDER BY id LIMIT ?) AS next`,',
      change: '< → <=',
      why: 'The bound is shorter than any id, so none is equal to it.',
    },
    {
      source: "await queries.run('DELETE FROM sealed_report WHERE report_id > ? AND report_id <= ?', ...range)",
      change: '> → >=',
      why: 'The last of the window before was dealt with then.',
    },
    {
      source: "await queries.run('DELETE FROM credit_report WHERE id > ? AND id <= ? AND test = 1', ...range)",
      change: '> → >=',
      why: 'The last of the window before was dealt with then.',
    },
  ],
  'service/reports/store.ts': [
    {
      source: 'challenged && !report.challenge.deviceVerified ? 0 : 1,',
      change: 'challenged && !report.challenge.deviceVerified → false',
      why: 'Only test mode inserts a challenge at once, and there every device is verified.',
    },
    {
      source: 'challenged && !report.challenge.deviceVerified ? 0 : 1,',
      change: '0 → 1',
      why: 'Only test mode inserts a challenge at once, and there every device is verified.',
    },
    {
      source: "const unless = { error: () => new Error('a verified challenge has no sealed consumer') }",
      change: "new Error('a verified challenge has no sealed consumer') → (undefined)",
      why: 'A verified challenge has its sealed consumer for as long as it is open.',
    },
    {
      source: "report.status === 'complete' || report.status === 'blocked' ? report.nowMs : null,",
      change: "report.status === 'complete' || report.status === 'blocked' → false",
      why: 'Only test mode inserts an ended report, and without an end the beginning is told, which is the same moment.',
    },
    {
      source: "report.status === 'complete' || report.status === 'blocked' ? report.nowMs : null,",
      change: '|| → &&',
      why: 'Only test mode inserts an ended report, and without an end the beginning is told, which is the same moment.',
    },
  ],
  'service/reports/submit-code.ts': [
    {
      source: 'export const RACES_MAX = 8',
      change: '8 → 9',
      why: 'One more race is tried; nothing promises how many.',
    },
    {
      source: "for (let waitedMs = 0; 'atWork' in judged; waitedMs += WAIT_STEP_MS) {",
      change: '0 → 1',
      why: 'One millisecond of twelve seconds.',
    },
    {
      source: 'for (let races = 0; races < RACES_MAX; races += 1) {',
      change: '0 → 1',
      why: 'One race less is tried; nothing promises how many.',
    },
    {
      source: 'for (let races = 0; races < RACES_MAX; races += 1) {',
      change: '< → <=',
      why: 'One more race is tried; nothing promises how many.',
    },
    {
      source: 'if (waitedMs >= WAIT_MAX_MS) throw bureausAway(null)',
      change: '>= → >',
      why: 'It looks once more: fifty milliseconds of twelve seconds.',
    },
    {
      source: 'for (let races = 0; races < RACES_MAX; races += 1) {',
      change: '1 → 2',
      why: 'Four races are enough for the codes that a challenge can lose to others.',
    },
    {
      source: 'if (isAtWork(report, clock())) return { atWork: true }',
      change: 'true → false',
      why: 'That the field is there counts, not what is in it.',
    },
    {
      source: "throw new ApiError('unavailable', 'too many codes at once; try again')",
      change: "throw new ApiError('unavailable', 'too many codes at once; try again') → ;",
      why: 'Every lost race is a text or an attempt counted, and a challenge has fewer of them than there are races.',
    },
    {
      source: '...(expiresInSeconds === null ? {} : { [CHALLENGE_EXPIRES_IN_HEADER]: String(expiresInSeconds) }),',
      change: 'expiresInSeconds === null → false',
      why: 'A challenge that goes on has time left; the condition is there for the type.',
    },
  ],
  'service/reports/sweep-reports.ts': [
    {
      source: 'if (!isExpired(was.challenge, moment)) return false',
      change: '!isExpired(was.challenge, moment) → false',
      why: 'The query has found expired ones alone.',
    },
    {
      source: 'if (!isExpired(was.challenge, moment)) return false',
      change: 'false → true',
      why: 'The query has found expired ones alone.',
    },
    {
      source: 'if (leaseUntilMs === null) return false',
      change: 'leaseUntilMs === null → false',
      why: 'The query has found leased ones alone; the condition is there for the type.',
    },
    {
      source: 'if (leaseUntilMs === null) return false',
      change: 'false → true',
      why: 'The query has found leased ones alone; the condition is there for the type.',
    },
    {
      source: 'nowMs - lifetimeMs,',
      change: '- → +',
      why: 'More rows are found, and each is then found not to be expired.',
    },
    {
      source: 'nowMs + CLOCK_SKEW_MAX_MS,',
      change: '+ → -',
      why: 'More rows are found, and each is then found not to be expired.',
    },
  ],
}
