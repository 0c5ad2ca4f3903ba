// Opens, locks, closes and forgets the report of a completed check.
import { ownFault } from '../flow/fault.ts'
import { begunSlot, readSlot, writeSlot } from '../slots.ts'
import type { Line } from './line.ts'

export function createReportLock(line: Line) {
  const { api, tab, flow } = line
  /** Holds the id of a report that was closed, until the server knows. */
  const slot = `${line.endpoint}:closing`

  /** What was promised has to be true: until the server knows, the request is repeated whenever the line may be back. */
  async function close(creditReportId: string): Promise<boolean> {
    tab.settle()
    writeSlot(slot, creditReportId)
    const isDone = await api.close()
    if (isDone) {
      writeSlot(slot, null)
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
      api.close({ forget: true })
    },
  }
}
