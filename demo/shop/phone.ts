// The drawn phone: shows the texts the service has "sent", and copies a code with one tap.
import { type PhoneText, PhoneTexts } from './wire.ts'

const ASK_EVERY_MS = 700
/** Time to keep looking after a code was asked for; a challenge and its texts fit in it. */
const LISTEN_FOR_MS = 20 * 60_000
/** A text older than this when the page opens is old news. */
const RECENT_MS = 5 * 60_000
const PUT_AWAY_AFTER_MS = 900

/** `widget` is what the code is for. */
export function startPhone(widget: Element | null | undefined) {
  const phone = part('phone')
  const toggle = part('phone-toggle')
  const list = part('texts')
  const badge = part('phone-badge')
  // Narrower than this, the phone stands over the column of the check.
  const smallScreen = window.matchMedia('(max-width: 64rem)')
  const seen = new Set<string>()
  let unread = 0
  let listenUntilMs = 0
  let isFirstLook = true

  toggle.addEventListener('click', () => open(!phone.classList.contains('open')))
  part('phone-clock').textContent = showTime(new Date())
  void look()

  function open(isOpen: boolean): void {
    phone.classList.toggle('open', isOpen)
    toggle.setAttribute('aria-expanded', String(isOpen))
    if (isOpen) unread = 0
    showBadge()
    // The input for the code is near the widget's upper edge, which is then above the phone.
    if (isOpen && smallScreen.matches) widget?.scrollIntoView({ block: 'start' })
  }

  function afterCopy(): void {
    if (smallScreen.matches) setTimeout(() => open(false), PUT_AWAY_AFTER_MS)
  }

  function showBadge(): void {
    badge.textContent = unread ? String(unread) : ''
    badge.hidden = unread === 0
  }

  async function look(): Promise<void> {
    for (const text of await fetchTexts()) {
      if (seen.has(text.id)) continue
      seen.add(text.id)
      if (isFirstLook && Date.now() - text.sentAtMs > RECENT_MS) continue
      list.prepend(renderText(text, afterCopy))
      part('phone-empty').hidden = true
      part('phone-clock').textContent = showTime(new Date())
      unread++
      if (!isFirstLook) open(true)
    }
    isFirstLook = false
    showBadge()
    if (Date.now() < listenUntilMs) setTimeout(look, ASK_EVERY_MS)
  }

  return {
    /** The check has ended: nothing covers its report. */
    putAway: () => open(false),
    /** A code is on its way. */
    expectText(): void {
      const isListening = Date.now() < listenUntilMs
      listenUntilMs = Date.now() + LISTEN_FOR_MS
      if (!isListening) void look()
    },
  }
}

async function fetchTexts(): Promise<PhoneText[]> {
  const response = await fetch('/phone').catch(() => null)
  return response?.ok ? PhoneTexts.parse(await response.json()) : []
}

function renderText(text: PhoneText, afterCopy: () => void): HTMLLIElement {
  const { body, url } = text
  const item = document.createElement('li')
  const hint = document.createElement('span')
  if (url !== undefined) {
    const link = document.createElement('a')
    link.href = url
    link.target = '_blank'
    link.rel = 'noopener'
    hint.textContent = 'Tap to open'
    fillBubble(link, text, hint)
    item.append(link)
    return item
  }
  const button = document.createElement('button')
  button.type = 'button'
  hint.textContent = 'Tap to copy'
  fillBubble(button, text, hint)
  const code = findCode(body)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code).catch(() => undefined)
    hint.textContent = 'Copied'
    hint.className = 'copied'
    afterCopy()
  })
  item.append(button)
  return item
}

function fillBubble(bubble: HTMLElement, { body, sentAtMs }: PhoneText, hint: HTMLElement): void {
  bubble.className = 'text'
  const head = document.createElement('small')
  head.append(`Messages · ${showTime(new Date(sentAtMs))}`, hint)
  bubble.append(head, ...emphasiseCode(body))
}

function findCode(body: string): string {
  return /\b\d{6}\b/.exec(body)?.[0] ?? ''
}

function emphasiseCode(body: string): (string | HTMLElement)[] {
  const code = findCode(body)
  const at = body.indexOf(code)
  if (!code) return [body]
  const bold = document.createElement('b')
  bold.textContent = code
  return [body.slice(0, at), bold, body.slice(at + code.length)]
}

function showTime(date: Date): string {
  return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}

function part(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the page has no #${id}`)
  return found
}
