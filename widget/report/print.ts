// Printing the report alone: `window.print()` would print the lender's whole page.
import { render, type VNode } from 'preact'

type PrintJob = {
  /**
   * The element that holds the report: the frame goes there while the browser prints, and the paper gets the style
   * sheets of its root.
   */
  near: Element
  content: VNode
  /** Becomes the file name when the person saves a PDF. */
  title: string
  locale: string
  /** The browser cannot print, as those inside other apps; some say nothing about it. */
  onRefused: () => void
}

/** A browser that prints says so at once; a slow phone gets this long. */
const BEGINS_WITHIN_MS = 1_500

/**
 * Renders the content into a frame of its own and prints that. The frame has no address and no mark-up of its own
 * (`srcdoc` is refused where a page demands Trusted Types), and its style sheet is constructed, so the strictest
 * content policy has nothing to object to.
 */
export function print({ near, content, title, locale, onRefused }: PrintJob): void {
  const root = near.getRootNode()
  const pressed = root instanceof ShadowRoot && root.activeElement
  const frame = document.createElement('iframe')
  const done = () => {
    frame.remove()
    // The frame takes the focus with it; keyboard users go on where they were.
    if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true })
  }
  const refuse = () => {
    done()
    onRefused()
  }
  frame.className = 'report-frame'
  frame.title = title
  frame.tabIndex = -1
  frame.onload = () => {
    const page = frame.contentDocument
    const view = page?.defaultView
    if (!page || typeof view?.print !== 'function') return refuse()
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(styleAround(near))
    page.adoptedStyleSheets = [sheet]
    page.title = title
    page.documentElement.lang = locale
    render(content, page.body)
    // No screen has this slot: it is for paper alone.
    const letterhead = root instanceof ShadowRoot && root.host.querySelector(':scope > [slot=letterhead]')
    if (letterhead) page.body.prepend(letterhead.cloneNode(true))
    let hasBegun = false
    view.onbeforeprint = () => {
      hasBegun = true
    }
    view.onafterprint = done
    const begin = () => {
      // Without focus, iPhones print the page around the frame.
      view.focus()
      view.print()
      setTimeout(() => hasBegun || refuse(), BEGINS_WITHIN_MS)
    }
    const pictures = [...page.images].map((picture) => picture.decode())
    if (pictures.length === 0) begin()
    else Promise.allSettled(pictures).then(begin)
  }
  near.querySelector('.report-frame')?.remove()
  near.append(frame)
}

/**
 * The same on the page's own print command: what `draw` makes is there while the browser prints, and gone afterwards.
 */
export function drawForPrinting(into: Element, draw: () => VNode): () => void {
  const watched = new AbortController()
  const { signal } = watched
  addEventListener('beforeprint', () => render(draw(), into), { signal })
  addEventListener('afterprint', () => render(null, into), { signal })
  return () => {
    watched.abort()
    render(null, into)
  }
}

function styleAround(element: Element): string {
  const root = element.getRootNode()
  if (!(root instanceof ShadowRoot)) return ''
  return root.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join('')
}
