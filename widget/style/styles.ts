const sheets = new Map<string, CSSStyleSheet>()

/**
 * Styles the root, once. A constructed sheet is shared by every element on the page and needs no `style-src` in the
 * page's policy.
 */
export function addStyles(root: ShadowRoot, css: string): void {
  if (!('adoptedStyleSheets' in root)) addStyleElement(root, css)
  else if (!root.adoptedStyleSheets.includes(sheetOf(css))) root.adoptedStyleSheets.push(sheetOf(css))
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = sheets.get(css) ?? new CSSStyleSheet()
  if (!sheets.has(css)) sheet.replaceSync(readable(css))
  sheets.set(css, sheet)
  return sheet
}

// Browsers from before 2023 only.
function addStyleElement(root: ShadowRoot, css: string): void {
  const style = document.createElement('style')
  style.textContent = readable(css)
  root.append(style)
}

// Browsers from before 2024 do not know light-dark(), and a colour they cannot read leaves inputs without edges and
// buttons without a background. They get the light half of each pair.
function readable(css: string): string {
  return CSS.supports('color', 'light-dark(red,red)') ? css : css.replace(/light-dark\((.+?),.+?\)/g, '$1')
}
