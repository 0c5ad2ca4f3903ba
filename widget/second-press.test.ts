// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { dropSecondPress } from './second-press.ts'

type Press = { atMs: number; y?: number; detail?: number }
type Step = Press | 'a new screen' | Event

const next = 'a new screen'
const bubbling = { bubbles: true, composed: true }
const second: Press = { atMs: 100, detail: 2 }
const touch = new PointerEvent('pointerdown', { ...bubbling, pointerType: 'touch' })

let root: ShadowRoot

beforeEach(() => {
  document.body.innerHTML = '<div></div>'
  const host = document.body.firstElementChild
  if (!host) throw new Error('there is no host')
  root = host.attachShadow({ mode: 'open' })
  draw()
  dropSecondPress(root, new AbortController().signal)
})

/** The number of presses that reached a button. */
const rows: [string, Step[], number][] = [
  ['two presses of one screen both count', [{ atMs: 0 }, { atMs: 100, detail: 2 }], 2],
  [
    'the second half of a double click does not press the next screen',
    [{ atMs: 0 }, next, { atMs: 300, detail: 2 }],
    1,
  ],
  ['nor does the third click', [{ atMs: 0 }, next, { atMs: 200, detail: 2 }, { atMs: 400, detail: 3 }], 1],
  ['nor the second half of a double tap, which is not counted', [touch, { atMs: 0 }, next, touch, { atMs: 300 }], 1],
  ['a tap that comes later than that is a new one', [touch, { atMs: 0 }, next, touch, { atMs: 350 }], 2],
  ['two single clicks of a mouse are two presses, however fast', [{ atMs: 0 }, next, { atMs: 100 }], 2],
  ['a press half a second later is a new one', [{ atMs: 0 }, next, { atMs: 500, detail: 2 }], 2],
  ['so is one elsewhere', [{ atMs: 0 }, next, { atMs: 100, detail: 2, y: 60 }], 2],
  ['after a key every press counts', [{ atMs: 0 }, next, new KeyboardEvent('keydown', bubbling), second], 2],
  ['after typing every press counts', [{ atMs: 0 }, next, new Event('input', bubbling), second], 2],
  ['after going to an input every press counts', [{ atMs: 0 }, next, new Event('focusin', bubbling), second], 2],
  ['assistive technology always counts', [touch, { atMs: 0 }, next, { atMs: 10, detail: 0 }], 2],
]

test.each(rows)('%s', (_name, steps, expected) => {
  let pressed = 0
  root.addEventListener('click', () => pressed++)
  for (const step of steps) {
    if (step === next) draw()
    else if (step instanceof Event) root.querySelector('input')?.dispatchEvent(step)
    else root.querySelector('button')?.dispatchEvent(click(step))
  }
  expect(pressed).toBe(expected)
})

function draw(): void {
  root.innerHTML = '<div class="screen"><input><button>Continue</button></div>'
}

function click({ atMs, y = 10, detail = 1 }: Press): MouseEvent {
  const event = new MouseEvent('click', { ...bubbling, clientX: 10, clientY: y, detail })
  Object.defineProperty(event, 'timeStamp', { value: atMs })
  return event
}
