export type Diagnosis = { code: string; problem: string; fix: string }
export async function diagnose(_: { endpoint: string; fingerprintSrc: string | null }): Promise<Diagnosis[]> {
  return []
}
