// A round-robin queue: one item of each lane (lender) in turn, first in first out within a lane.

type FairQueue<T> = {
  push(lane: string, item: T): void
  /** Up to `max` of those next in turn, removed. */
  take(max: number): T[]
  size(): number
}

export function createFairQueue<T>(): FairQueue<T> {
  // A map keeps the order of its keys: a lane that was served goes to the end.
  const lanes = new Map<string, T[]>()
  let size = 0

  return {
    push(lane, item) {
      const waiting = lanes.get(lane)
      if (waiting) waiting.push(item)
      else lanes.set(lane, [item])
      size += 1
    },
    take(max) {
      const taken: T[] = []
      for (const [lane, waiting] of lanes) {
        if (taken.length === max) break
        lanes.delete(lane)
        taken.push(...waiting.splice(0, 1))
        // Visited again by this very loop, after all the others.
        if (waiting.length > 0) lanes.set(lane, waiting)
      }
      size -= taken.length
      return taken
    },
    size: () => size,
  }
}
