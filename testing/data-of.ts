/** Test support: `data` of an answer below `/{tenantId}/v1/`, or the whole body of a refusal. */
export function dataOf(body: { data?: unknown; [field: string]: unknown }) {
  return (body.data ?? body) as ReturnType<typeof JSON.parse>
}

/** An answer of a service that a test plays itself. */
export function enveloped(data: object) {
  return { meta: { request: { timeTakenMs: 1 } }, data }
}
