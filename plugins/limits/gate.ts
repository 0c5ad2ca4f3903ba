// Limits the requests processed at once, and orders those that wait.
//
//   enter ─▶ running (up to runningMax; the urgent may use reservedForUrgent more)
//        └─▶ waiting (up to waitingMax, at most waitMs; the urgent first, then the oldest)
//               └─▶ refused: when the queue is full, the newest that is not urgent
//
// The request limit decides how much one lender may ask for.

export type GateOptions = { runningMax: number; reservedForUrgent: number; waitingMax: number; waitMs: number }

// An event loop that is behind gets no faster by accepting more. Live reports wait for bureaus most of their time,
// so that many may be in progress at once; each costs some tens of kilobytes.
const DEFAULTS: GateOptions = { runningMax: 400, reservedForUrgent: 100, waitingMax: 400, waitMs: 2_000 }

type Waiter = { isUrgent: boolean; settle(admitted: boolean): void }

export type Gate = ReturnType<typeof createGate>

export function createGate(options: Partial<GateOptions> = {}) {
  const { runningMax, reservedForUrgent, waitingMax, waitMs } = { ...DEFAULTS, ...options }
  /** The oldest first. */
  const waiters: Waiter[] = []
  let running = 0

  function isFree({ isUrgent }: { isUrgent: boolean }): boolean {
    return running < runningMax + (isUrgent ? reservedForUrgent : 0)
  }

  function wait(isUrgent: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        isUrgent,
        settle(admitted) {
          clearTimeout(timer)
          waiters.splice(waiters.indexOf(waiter), 1)
          if (admitted) running += 1
          resolve(admitted)
        },
      }
      const timer = setTimeout(() => waiter.settle(false), waitMs)
      waiters.push(waiter)
    })
  }

  return {
    /** Resolves to true once the work may begin (then `leave` must follow, once), to false when it may not. */
    enter(isUrgent: boolean): Promise<boolean> | true {
      if (isFree({ isUrgent })) {
        running += 1
        return true
      }
      const admitted = wait(isUrgent)
      if (waiters.length > waitingMax) {
        const last = waiters.findLast((waiter) => !waiter.isUrgent) ?? waiters.at(-1)
        last?.settle(false)
      }
      return admitted
    },
    leave(): void {
      running -= 1
      const next = waiters.find((waiter) => waiter.isUrgent) ?? waiters[0]
      if (next && isFree(next)) next.settle(true)
    },
    load: () => ({ running, waiting: waiters.length }),
  }
}
