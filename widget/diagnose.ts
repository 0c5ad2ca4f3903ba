export type Diagnosis = { code: string; problem: string; fix: string }
export async function diagnose(_: {
  endpoint: string
  fingerprintSrc: string | null
  element: HTMLElement
}): Promise<Diagnosis[]> {
  return []
}
