// How many requests are worked on at once, and who waits when that many are.
//
//   enter ─▶ running (up to runningMax; the most urgent may use reservedForUrgent more)
//        └─▶ waiting (up to waitingMax, at most waitMs; the most urgent is let in first, the oldest of its kind)
//               └─▶ refused: when the queue is full, the least urgent goes, the newcomer or one that waits

/** How much is lost by refusing it, from least to most: a consumer with a code in hand is never sent away lightly. */
const URGENCIES = ['low', 'normal', 'high', 'urgent'] as const
export type Urgency = (typeof URGENCIES)[number]

export type GateOptions = { runningMax: number; reservedForUrgent: number; waitingMax: number; waitMs: number }

export type Gate = {
  /** Resolves to true once the work may begin (then `leave` must follow, once), to false when it may not. */
  enter(urgency: Urgency): Promise<boolean> | true
  leave(): void
  load(): { running: number; waiting: number }
}

// An event loop that is behind serves nobody sooner by accepting more. Live reports wait for bureaus most of their time,
// so that many may be under way at once; each costs some tens of kilobytes.
const DEFAULTS: GateOptions = { runningMax: 400, reservedForUrgent: 100, waitingMax: 400, waitMs: 2_000 }

type Waiter = { settle(admitted: boolean): void }

export function createGate(options: Partial<GateOptions> = {}): Gate {
  const { runningMax, reservedForUrgent, waitingMax, waitMs } = { ...DEFAULTS, ...options }
  const queues = new Map<Urgency, Waiter[]>(URGENCIES.map((urgency) => [urgency, []]))
  let running = 0
  let waiting = 0

  const isFree = (urgency: Urgency) => running < runningMax + (urgency === 'urgent' ? reservedForUrgent : 0)

  function wait(urgency: Urgency): Promise<boolean> {
    return new Promise((resolve) => {
      const queue = queues.get(urgency) ?? []
      const waiter: Waiter = {
        settle(admitted) {
          clearTimeout(timer)
          queue.splice(queue.indexOf(waiter), 1)
          waiting -= 1
          if (admitted) running += 1
          resolve(admitted)
        },
      }
      const timer = setTimeout(() => waiter.settle(false), waitMs)
      queue.push(waiter)
      waiting += 1
    })
  }

  /** Refuses the newest of the least urgent that matter less than the newcomer; false when there is none. */
  function makeRoom(urgency: Urgency): boolean {
    for (const lesser of URGENCIES.slice(0, URGENCIES.indexOf(urgency))) {
      const last = queues.get(lesser)?.at(-1)
      if (last === undefined) continue
      last.settle(false)
      return true
    }
    return false
  }

  return {
    enter(urgency) {
      if (isFree(urgency)) {
        running += 1
        return true
      }
      if (waiting < waitingMax || makeRoom(urgency)) return wait(urgency)
      return Promise.resolve(false)
    },
    leave() {
      running -= 1
      for (const urgency of URGENCIES.toReversed()) {
        const next = queues.get(urgency)?.[0]
        if (next === undefined) continue
        if (isFree(urgency)) next.settle(true)
        return
      }
    },
    load: () => ({ running, waiting }),
  }
}
