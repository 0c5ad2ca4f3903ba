// Printing the report alone: `window.print()` would print the lender's whole page.
import { render, type VNode } from 'preact'

export type PrintJob = {
  /** Where the report stands: the frame goes there while the browser prints, and the paper gets the style sheets of its root. */
  near: Element
  content: VNode
  /** Becomes the file name when the person saves a PDF. */
  title: string
  locale: string
}

/**
 * Renders the content into a frame of its own and prints that. The frame has no address and no mark-up of its own (`srcdoc` is refused
 * where a page demands Trusted Types), and its style sheet is constructed, so the strictest content policy has nothing to object to.
 */
export function print({ near, content, title, locale }: PrintJob): void {
  const root = near.getRootNode()
  const pressed = root instanceof ShadowRoot && root.activeElement
  const frame = document.createElement('iframe')
  frame.className = 'report-frame'
  frame.title = title
  frame.tabIndex = -1
  frame.onload = () => {
    const page = frame.contentDocument
    const view = page?.defaultView
    if (!page || !view) return
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(styleAround(near))
    page.adoptedStyleSheets = [sheet]
    page.title = title
    page.documentElement.lang = locale
    render(content, page.body)
    view.onafterprint = () => {
      frame.remove()
      // The frame takes the focus with it; whoever uses a keyboard goes on where they were.
      if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true })
    }
    // Without focus, iPhones print the page around the frame.
    view.focus()
    view.print()
  }
  near.querySelector('.report-frame')?.remove()
  near.append(frame)
}

function styleAround(element: Element): string {
  const root = element.getRootNode()
  if (!(root instanceof ShadowRoot)) return ''
  return root.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('')
}
