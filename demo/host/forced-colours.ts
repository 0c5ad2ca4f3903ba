// Shows a widget as forced colours would leave it. Only a browser can truly force colours; this replaces every colour
// by the system's, as browsers do, and then lets the widget's own rules for that case speak last.

const PALETTE = `
.root, .root * {
  forced-color-adjust: none;
  border-color: CanvasText !important;
  background-color: Canvas !important;
  box-shadow: none !important;
  color: CanvasText !important;
}
.root a, .root [part~="link"] { color: LinkText !important; }
.root button:not([part~="link"]) {
  border: 1px solid ButtonBorder !important;
  background-color: ButtonFace !important;
  color: ButtonText !important;
}
.root input { background-color: Field !important; color: FieldText !important; }
`

let forced: { sheets: CSSStyleSheet[]; watching: MutationObserver } | null = null

/** Turns it on or off. While it is on, style sheets that arrive later (the report brings its own) are covered too. */
export function forceColours(widget: Element, isForced: boolean): void {
  const root = widget.shadowRoot
  if (!root) return
  const own = forced?.sheets ?? []
  forced?.watching.disconnect()
  forced = null
  const others = root.adoptedStyleSheets.filter((sheet) => !own.includes(sheet))
  root.adoptedStyleSheets = others
  if (!isForced) return

  const sheets = [createSheet(PALETTE), createSheet(findForcedRules(others))]
  root.adoptedStyleSheets = [...others, ...sheets]
  const [palette] = sheets
  const watching = new MutationObserver(() => {
    if (palette && !root.adoptedStyleSheets.includes(palette)) forceColours(widget, true)
  })
  watching.observe(root, { childList: true, subtree: true })
  forced = { sheets, watching }
}

function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

/** The widget's rules for forced colours, made strong enough to be heard over the palette. */
function findForcedRules(sheets: readonly CSSStyleSheet[]): string {
  return sheets
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSMediaRule && rule.media.mediaText.includes('forced-colors: active'))
    .flatMap((rule) => (rule instanceof CSSMediaRule ? [...rule.cssRules] : []))
    .map((rule) => rule.cssText.replace(/;/g, ' !important;'))
    .join('\n')
}
