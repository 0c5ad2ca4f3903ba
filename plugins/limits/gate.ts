// How many requests are worked on at once, and who waits when that many are.
//
//   enter ─▶ running (up to runningMax; the most urgent may use reservedForUrgent more, a lender below its share half of them)
//        └─▶ waiting (up to waitingMax, at most waitMs; the most urgent is let in first, then who has least in progress)
//               └─▶ refused: when the queue is full, the least urgent of those lenders who take more than their share of it
//
// A share is an equal part for every lender with a request here: one alone may use everything.

/** How much is lost by refusing it, from least to most: a consumer with a code in hand is never sent away lightly. */
const URGENCIES = ['low', 'normal', 'high', 'urgent'] as const
export type Urgency = (typeof URGENCIES)[number]

export type GateOptions = { runningMax: number; reservedForUrgent: number; waitingMax: number; waitMs: number }

/** `lane`: the lender, or another group that must not crowd out the rest. */
export type Entrant = { urgency: Urgency; lane: string }

// An event loop that is behind gets no faster by accepting more. Live reports wait for bureaus most of their time,
// so that many may be in progress at once; each costs some tens of kilobytes.
const DEFAULTS: GateOptions = { runningMax: 400, reservedForUrgent: 100, waitingMax: 400, waitMs: 2_000 }

type Waiter = Entrant & { settle(admitted: boolean): void }
type Lane = { running: number; waiting: number }

export type Gate = ReturnType<typeof createGate>

export function createGate(options: Partial<GateOptions> = {}) {
  const { runningMax, reservedForUrgent, waitingMax, waitMs } = { ...DEFAULTS, ...options }
  /** Of every lender with a request here. */
  const lanes = new Map<string, Lane>()
  /** The oldest first. */
  const waiters: Waiter[] = []
  let running = 0

  const laneOf = (lane: string): Lane => lanes.get(lane) ?? { running: 0, waiting: 0 }

  function count(lane: string, change: Partial<Lane>): void {
    const { running: under, waiting } = laneOf(lane)
    const next = { running: under + (change.running ?? 0), waiting: waiting + (change.waiting ?? 0) }
    if (next.running + next.waiting === 0) lanes.delete(lane)
    else lanes.set(lane, next)
    running += change.running ?? 0
  }

  function isFree({ urgency, lane }: Entrant): boolean {
    if (running < runningMax) return true
    const among = lanes.size + (lanes.has(lane) ? 0 : 1)
    const isBelowShare = laneOf(lane).running + 1 <= runningMax / among
    const reserved = urgency === 'urgent' ? reservedForUrgent : isBelowShare ? reservedForUrgent / 2 : 0
    return running < runningMax + reserved
  }

  function wait(entrant: Entrant): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        ...entrant,
        settle(admitted) {
          clearTimeout(timer)
          waiters.splice(waiters.indexOf(waiter), 1)
          count(entrant.lane, { waiting: -1, running: admitted ? 1 : 0 })
          resolve(admitted)
        },
      }
      const timer = setTimeout(() => waiter.settle(false), waitMs)
      waiters.push(waiter)
      count(entrant.lane, { waiting: 1 })
    })
  }

  /** Refuses one of too many: the newest of the least urgent whose lender takes more than its share. It may be the newcomer. */
  function refuseOne(): void {
    const crowding = waiters.filter(({ lane }) => laneOf(lane).waiting > waitingMax / lanes.size)
    const [first = waiters.at(-1)] = crowding.toReversed().toSorted((one, other) => rank(one) - rank(other))
    first?.settle(false)
  }

  return {
    /** Resolves to true once the work may begin (then `leave` must follow, once), to false when it may not. */
    enter(entrant: Entrant): Promise<boolean> | true {
      if (isFree(entrant)) {
        count(entrant.lane, { running: 1 })
        return true
      }
      const admitted = wait(entrant)
      if (waiters.length > waitingMax) refuseOne()
      return admitted
    },
    leave(lane: string): void {
      count(lane, { running: -1 })
      const [next] = waiters
        .filter(isFree)
        .toSorted((one, other) => rank(other) - rank(one) || laneOf(one.lane).running - laneOf(other.lane).running)
      next?.settle(true)
    },
    load: () => ({ running, waiting: waiters.length }),
  }
}

function rank({ urgency }: Entrant): number {
  return URGENCIES.indexOf(urgency)
}
