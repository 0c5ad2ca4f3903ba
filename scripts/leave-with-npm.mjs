// A signal to npm ends npm and its shell, not what they started: a service would stay behind, with its port and its
// data.

const LOOK_EVERY_MS = 500
const npm = process.ppid

/**
 * Ends this process, in order, once the npm that started it is gone. Started without npm, it stays as long as it likes.
 * For a program that listens to signals already: nothing here may keep one from having its effect.
 */
export function leaveWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  // A signal to the whole group has reached this process already; a second one would mean "at once".
  let isAsked = false
  const heard = ['SIGINT', 'SIGTERM', 'SIGHUP'].filter((signal) => process.listenerCount(signal) > 0)
  for (const signal of heard) {
    process.once(signal, () => {
      isAsked = true
    })
  }
  const looking = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(looking)
    if (!isAsked) process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS).unref()
}
