// A page scrolled to its end shows “Agree” where “Continue” was: the second half of a double click or tap must not
// press it.

const DOUBLE_CLICK_MS = 500
// Shorter, because no count of clicks confirms it: phones take two taps for one gesture up to here.
const DOUBLE_TAP_MS = 350
const SAME_PLACE_PX = 40

type Press = { timeStamp: number; clientX: number; clientY: number; screen: Element | null }

/**
 * Drops a press that follows another at the same place so soon that it was meant for the screen that has gone
 * meanwhile: what decides is that another screen has arrived since, the time, the place, and that nothing was typed or
 * gone to. The browser's count of clicks alone says too much and too little: WebKit goes on counting from screen to
 * screen, an iPhone counts no taps. Of a mouse a count above one is asked for as well. It can only let more presses
 * through, and time alone cannot replace it: the second half of a double click comes 60 to 300 ms after the next
 * screen, and so do the presses of lenders' own tests. Without it 8 of 36 presses of a scripted journey through a
 * prefilled form were lost in Chromium, with it none.
 */
export function dropSecondPress(root: ShadowRoot, signal: AbortSignal): void {
  const options = { signal, capture: true }
  let last: Press | null = null
  let isTouch = false
  // A person who has typed or gone to an input since then has seen the new screen.
  const forget = () => {
    last = null
  }
  root.addEventListener('keydown', forget, options)
  root.addEventListener('input', forget, options)
  root.addEventListener('focusin', ({ target }) => target instanceof HTMLInputElement && forget(), options)
  const noticeKind = (event: Event) => {
    isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
  }
  root.addEventListener('pointerdown', noticeKind, options)
  const judge = (event: Event) => {
    // Keyboards and assistive technology press once, and nowhere.
    if (!(event instanceof MouseEvent && event.detail)) return
    const { timeStamp, clientX, clientY } = event
    const press = { timeStamp, clientX, clientY, screen: root.querySelector('.screen') }
    const mayBeSecond = (isTouch || event.detail > 1) && event.target instanceof HTMLButtonElement
    if (mayBeSecond && last && isForGoneScreen(last, press, isTouch ? DOUBLE_TAP_MS : DOUBLE_CLICK_MS)) {
      event.preventDefault()
      event.stopPropagation()
    } else last = press
  }
  root.addEventListener('click', judge, options)
}

function isForGoneScreen(first: Press, second: Press, limitMs: number): boolean {
  return (
    first.screen !== second.screen &&
    second.timeStamp - first.timeStamp < limitMs &&
    Math.abs(second.clientX - first.clientX) < SAME_PLACE_PX &&
    Math.abs(second.clientY - first.clientY) < SAME_PLACE_PX
  )
}
