// Opens, locks, closes and forgets the report of a completed check.
import { ownFault } from '../flow/fault.ts'
import { begunSlot, readSlot, writeSlot } from '../slots.ts'
import type { Line } from './line.ts'

export function createReportLock(line: Line) {
  const { api, tab, flow } = line
  /** Holds the id of a report that was closed, until the server knows. */
  const slot = `${line.endpoint}:closing`

  const openChannel = () => new BroadcastChannel(`credit-report-widget:${line.endpoint}`)
  let channel: BroadcastChannel | null = null

  // A report that is closed in one tab is not left to be read in another. A page listens only while there is something
  // to close: a channel may keep it out of the browser's cache.
  const stop = flow.subscribe(({ screen }) => {
    const isOpen = screen.name === 'report' || screen.name === 'locked'
    if (isOpen === (channel !== null)) return
    channel?.close()
    channel = isOpen ? openChannel() : null
    channel?.addEventListener('message', () => line.send({ type: 'closed-elsewhere' }))
  })
  line.signal.addEventListener('abort', () => {
    stop()
    channel?.close()
  })

  /** The server closes everything of this browser at once. */
  function tellTabs(): void {
    const once = openChannel()
    once.postMessage('closed')
    once.close()
  }

  /**
   * A promise to close has to come true: until the server knows, the request is repeated whenever the line may be back.
   */
  async function close(creditReportId: string): Promise<boolean> {
    tab.settle()
    writeSlot(slot, creditReportId)
    const isDone = await api.close()
    if (isDone) {
      writeSlot(slot, null)
      tellTabs()
      line.send({ type: 'closed' })
    } else line.fail('close', ownFault(navigator.onLine ? 'network' : 'offline'))
    return isDone
  }

  return {
    close,
    /** Closes what an earlier page could not. Resolves to false while the server does not know. */
    async closeLeft(): Promise<boolean> {
      const creditReportId = readSlot(slot)
      if (!creditReportId) return true
      line.send({ type: 'closing', creditReportId })
      return close(creditReportId)
    },
    async open(dateOfBirth: string): Promise<void> {
      const result = await api.open(dateOfBirth)
      if (flow.value.screen.name === 'locked') line.take('open', result)
    },
    forget(): void {
      tab.settle()
      writeSlot(slot, null)
      writeSlot(begunSlot(line.endpoint), null)
      tellTabs()
      api.close({ forget: true })
    },
  }
}
