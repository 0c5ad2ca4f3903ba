// Shows a widget as forced colours would leave it. Only a browser can truly force colours; this takes the widget's own rules
// for that case, whatever their condition, and replaces every other colour by the system's, as browsers do.

const PALETTE = `
.root, .root * {
  forced-color-adjust: none;
  border-color: CanvasText !important;
  background-color: Canvas !important;
  box-shadow: none !important;
  color: CanvasText !important;
}
.root a, .root [part~="link"] { color: LinkText !important; }
.root button:not([part~="link"]) { border: 1px solid ButtonBorder !important; color: ButtonText !important; background-color: ButtonFace !important; }
.root input { background-color: Field !important; color: FieldText !important; }
.root svg :is(rect, path, circle, line) { forced-color-adjust: auto; }
`

let palette: CSSStyleSheet | null = null

export function forceColours(widget: Element, isForced: boolean): void {
  const root = widget.shadowRoot
  if (!root) return
  palette ??= new CSSStyleSheet()
  if (palette.cssRules.length === 0) palette.replaceSync(PALETTE)
  const others = root.adoptedStyleSheets.filter((sheet) => sheet !== palette)
  for (const sheet of others) for (const rule of sheet.cssRules) switchRule(rule, isForced)
  root.adoptedStyleSheets = isForced ? [...others, palette] : others
}

const ACTIVE = '(forced-colors: active)'
const ALWAYS = '(forced-colors: active), (forced-colors: none)'

function switchRule(rule: CSSRule, isForced: boolean): void {
  if (!(rule instanceof CSSMediaRule)) return
  const { media } = rule
  if (isForced && media.mediaText === ACTIVE) media.mediaText = ALWAYS
  if (!isForced && media.mediaText === ALWAYS) media.mediaText = ACTIVE
}
