// One queue for the whole report: a task for each idle moment, so that two lists never make one long task together.
const waiting = new Set<() => void>()
let scheduled = false

// A page that is never idle must still get its report.
const LONGEST_WAIT_MS = 100

/** Runs the task when the browser has nothing better to do; the returned function calls it off. */
export function whenIdle(task: () => void): () => void {
  waiting.add(task)
  schedule()
  return () => {
    waiting.delete(task)
  }
}

function schedule(): void {
  if (scheduled) return
  scheduled = true
  if (typeof requestIdleCallback === 'function') requestIdleCallback(runOne, { timeout: LONGEST_WAIT_MS })
  else setTimeout(runOne)
}

function runOne(): void {
  scheduled = false
  const [task] = waiting
  if (!task) return
  waiting.delete(task)
  if (waiting.size > 0) schedule()
  task()
}
