// The requests that were given a check's report, and the one that erased it, as steps of its timeline.
import type { TimelineStep, ToldCheck } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { type AuditEvent, listAuditOf } from './store.ts'

const LINES_MAX = 200

export async function tellReaders(
  queries: Queries,
  { tenantId, creditReportId, completedAtMs }: ToldCheck,
): Promise<TimelineStep[]> {
  const events = await listAuditOf(queries, { tenantId, object: creditReportId, limit: LINES_MAX })
  const erasure = events.find(({ action, outcome }) => /erase$/.test(action) && outcome === 'done')
  const steps = completedAtMs === null ? [] : given(events, completedAtMs)
  if (erasure) steps.push({ type: 'erased', who: actorOf(erasure), says: `Erased by ${actorOf(erasure)}.` })
  return steps
}

const GIVEN_WORDS: { readonly [action: string]: string } = {
  'report.generate': 'given to',
  'report.code': 'given to',
  'report.read': 'read by',
  'report.open': 'opened in the console by',
  'person.export': 'exported by',
}

/** The callers who were given the report, a line for each; requests before its end were not. */
function given(events: readonly AuditEvent[], completedAtMs: number): TimelineStep[] {
  const files = events.filter(
    ({ action, outcome, atMs }) =>
      action in GIVEN_WORDS && (outcome === 'done' || outcome === '200') && atMs >= completedAtMs,
  )
  const groups = new Map<string, { who: string; times: number; lastMs: number }>()
  for (const act of files) {
    const who = actorOf(act)
    const words = `${GIVEN_WORDS[act.action]} ${who}`
    const known = groups.get(words)
    groups.set(words, { who, times: (known?.times ?? 0) + 1, lastMs: Math.max(known?.lastMs ?? 0, act.atMs) })
  }
  return [...groups].map(([words, { who, times, lastMs }]) => {
    const often = times === 1 ? '' : `, ${times} times so far`
    return { type: 'given', atMs: lastMs, who, says: `Report ${words}${often}.` }
  })
}

function actorOf({ actorKind, actorId, actorName }: AuditEvent): string {
  if (actorKind === 'person') return actorName ?? `person ${actorId}`
  return actorKind === 'client' ? `API client ${actorId}` : 'the operator'
}
