export type BoundedMap<Value> = {
  get(key: string): Value | undefined
  /** Sets and makes `key` the youngest; the oldest goes when there are too many. */
  set(key: string, value: Value): void
  delete(key: string): void
}

/** A map of bounded size, for keys that callers choose. */
export function createBoundedMap<Value>(sizeMax: number): BoundedMap<Value> {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    delete: (key) => void entries.delete(key),
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= sizeMax) return
      const oldest = entries.keys().next()
      if (!oldest.done) entries.delete(oldest.value)
    },
  }
}
