import { html } from 'hono/html'

const QUIET_MODULES = 4

/** The address as a QR code: one path, drawn in the page itself. */
export async function drawQr(uri: string, label: string) {
  const { default: qrcode } = await import('qrcode-generator')
  const code = qrcode(0, 'M')
  code.addData(uri)
  code.make()
  const count = code.getModuleCount()
  const size = count + 2 * QUIET_MODULES
  const dark = (row: number, column: number) => column >= 0 && column < count && code.isDark(row, column)
  const runs: string[] = []
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (!dark(row, column) || dark(row, column - 1)) continue
      let length = 1
      while (dark(row, column + length)) length += 1
      runs.push(`M${column + QUIET_MODULES} ${row + QUIET_MODULES}h${length}v1h-${length}z`)
    }
  }
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#000" d="${runs.join('')}"/></svg>`
}
