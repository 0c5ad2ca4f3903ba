// Files that a page offers: written a page of rows at a time, so that a long one is never in memory and no request
// waits long for one.
import type { Context } from 'hono'
import { CREDITS_PER_PENNY } from '../../contract/limits.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { CREDITS_PER_POUND } from './cap-pages.ts'
import type { RequestsFirst } from './requests-first.ts'

/** `credits`: written in pounds, with two decimals; a tenth of a penny keeps its third. */
type Cell = string | number | null | { credits: number }

/**
 * As spreadsheets read it. A text that begins like a formula, also in full-width letters, gets an apostrophe, which
 * keeps it a text.
 */
export function csvRow(cells: readonly Cell[]): string {
  const shown = cells.map((cell) => {
    if (cell === null) return ''
    if (typeof cell === 'number') return String(cell)
    if (typeof cell === 'object')
      return (cell.credits / CREDITS_PER_POUND).toFixed(cell.credits % CREDITS_PER_PENNY === 0 ? 2 : 3)
    const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell
    return `"${safe.replaceAll('"', '""')}"`
  })
  return `${shown.join(',')}\r\n`
}

export type File = { name: string; type: 'text/csv' | 'application/jsonl'; texts: AsyncGenerator<string> }

/**
 * The next of `texts` is made when the browser has taken the one before, and after a rest of as long as that took: half
 * of the thread stays with programs. When the browser goes away, none is made any more.
 */
export function answerFile(
  context: Context<ServiceEnv>,
  { name, type, texts }: File,
  requestsFirst: RequestsFirst,
): Response {
  const encoder = new TextEncoder()
  let tookMs = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs))
        await requestsFirst.wait()
        const beganMs = performance.now()
        const { done, value } = await texts.next()
        tookMs = performance.now() - beganMs
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      cancel: async () => void (await texts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
  context.header('Content-Type', `${type}; charset=utf-8`)
  context.header('Content-Disposition', `attachment; filename="${name}"`)
  context.header('Cache-Control', 'no-store')
  return context.body(body)
}
