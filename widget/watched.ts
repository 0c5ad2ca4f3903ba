// A value that tells when it changes: what the element, the flow and the screens share. Signals do the same for more bytes.
import { useLayoutEffect, useState } from 'preact/hooks'

export type Watched<T> = {
  readonly value: T
  /** Calls back now and after each change; returns how to stop. */
  subscribe(listener: (value: T) => void): () => void
}

export function createWatched<T>(first: T): Watched<T> & { value: T } {
  const listeners = new Set<(value: T) => void>()
  let current = first
  let isTelling = false
  let isTold = true
  return {
    get value() {
      return current
    },
    set value(next) {
      if (next === current) return
      current = next
      isTold = false
      // Changed by a listener: every listener hears of one change before it hears of the next.
      if (isTelling) return
      isTelling = true
      try {
        while (!isTold) {
          isTold = true
          for (const listener of [...listeners]) listener(current)
        }
      } finally {
        isTelling = false
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      listener(current)
      return () => listeners.delete(listener)
    },
  }
}

/** The value now; the component is drawn again when it changes. */
export function useWatched<T extends object | null>(watched: Watched<T>): T {
  const [, draw] = useState(watched.value)
  useLayoutEffect(() => watched.subscribe(draw), [watched])
  return watched.value
}
