// Processes that a test run started and did not end. Each has the run's marker in its environment, which Linux shows in
// /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A browser's helpers end a moment after the browser. */
const GRACE_MS = 60_000
const LOOK_EVERY_MS = 200

/**
 * Waits a moment for processes that are ending, ends the others, and resolves to a line for each of those. Finds
 * nothing where there is no /proc.
 */
export async function endLeftovers(marker) {
  const deadlineMs = Date.now() + GRACE_MS
  while (findProcesses(marker).length > 0 && Date.now() < deadlineMs)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  return findProcesses(marker).map(end)
}

export function findProcesses(marker) {
  if (!existsSync('/proc/self/environ')) return []
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  return ids.filter((id) => read(`/proc/${id}/environ`).includes(`TEST_RUN=${marker}`))
}

export function end(id) {
  const line = `${id} ${read(`/proc/${id}/cmdline`).replaceAll('\0', ' ').slice(0, 200)}`
  try {
    process.kill(Number(id), 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
  return line
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
