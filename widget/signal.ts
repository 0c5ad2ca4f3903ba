// A value that tells when it changes: of a signals library, the lines this element needs, for a tenth of its weight.
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'

export type ReadonlySignal<T> = {
  readonly value: T
  /** Calls the listener after every change; returns how to stop that. */
  subscribe(listener: () => void): () => void
}

export type Signal<T> = ReadonlySignal<T> & { value: T }

export function signal<T>(value: T): Signal<T> {
  const listeners = new Set<() => void>()
  let changes = 0
  return {
    get value() {
      return value
    },
    set value(next) {
      if (next === value) return
      value = next
      // A listener that makes the next change hears of it when all have heard of this one, so that nobody learns the news backwards.
      if (++changes > 1) return
      try {
        for (; changes > 0; changes--) for (const listener of [...listeners]) listener()
      } finally {
        changes = 0
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** The value as it is now; the component is drawn again when it changes. */
export function useValue<T>(source: ReadonlySignal<T>): T {
  const [, draw] = useState(source.value)
  useLayoutEffect(() => {
    const look = () => draw(() => source.value)
    // A child may have changed it already.
    look()
    return source.subscribe(look)
  }, [source])
  return source.value
}

/** A signal of the component's own. */
export function useSignal<T>(initial: T): Signal<T> {
  const own = useMemo(() => signal(initial), [])
  useValue(own)
  return own
}
