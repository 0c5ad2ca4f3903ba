// Storage of a tab that survives a reload: keys, marks and ids, nothing about the person. Storage is refused in some
// private windows and sandboxed frames; memory then has to do.
const PREFIX = 'credit-report-widget:'

export function readSlot(slot: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + slot)
  } catch {
    return null
  }
}

export function writeSlot(slot: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + slot)
    else sessionStorage.setItem(PREFIX + slot, value)
  } catch {
    return
  }
}

/** Filled while this tab has begun or shown a check that the lender's server may still know of. */
export function begunSlot(endpoint: string): string {
  return `${endpoint}:begun`
}
