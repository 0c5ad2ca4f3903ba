/** A clock per lender that can be moved forward, for the proxies of the preview. It never goes back. */
export function createClocks() {
  const aheadMs = new Map<string, number>()
  return {
    of: (tenantId: string) => (): number => Date.now() + (aheadMs.get(tenantId) ?? 0),
    advance(tenantId: string, seconds: number): void {
      aheadMs.set(tenantId, (aheadMs.get(tenantId) ?? 0) + seconds * 1000)
    },
  }
}

export type Clocks = ReturnType<typeof createClocks>
