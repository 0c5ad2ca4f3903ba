const sheets = new Map<string, CSSStyleSheet>()

/** Styles the root, once. A constructed sheet is shared by every element on the page and needs no `style-src` in the page's policy. */
export function addStyles(root: ShadowRoot, css: string): void {
  if (!('adoptedStyleSheets' in root)) addStyleElement(root, css)
  else if (!root.adoptedStyleSheets.includes(sheetOf(css))) root.adoptedStyleSheets.push(sheetOf(css))
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = sheets.get(css) ?? new CSSStyleSheet()
  if (!sheets.has(css)) sheet.replaceSync(css)
  sheets.set(css, sheet)
  return sheet
}

// Browsers from before 2023 only.
function addStyleElement(root: ShadowRoot, css: string): void {
  const style = document.createElement('style')
  style.textContent = css
  root.append(style)
}
