// A long list in slices: the first at once, the others while the browser is idle. Everything ends up in the page, so that
// find-in-page and screen readers meet the whole report.
import { type ComponentChildren, h, type JSX } from 'preact'
import { useState } from 'preact/hooks'
import { whenIdle } from './idle-queue.ts'
import { usePage } from './page.ts'

type SlicedProps<Item> = {
  items: readonly Item[]
  /** How many to draw at a time. */
  step: number
  /** Height of one item still to come, in em: keeps what is below from moving. */
  itemHeightEm: number
  /** What keeps the room: an item where the list is a list. @default 'li' */
  room?: 'li' | 'div'
  children: (item: Item) => ComponentChildren
}

/** Each slice holds the next one, so that adding a slice draws that slice alone and not the whole list again. */
export function Sliced<Item>(props: SlicedProps<Item>): JSX.Element {
  const { items, step, itemHeightEm, room = 'li', children } = props
  const shown = items.slice(0, step)
  const left = items.slice(shown.length)
  return (
    <>
      {shown.map(children)}
      {left.length > 0 && (
        <Later room={room} heightEm={left.length * itemHeightEm}>
          {() => <Sliced {...props} items={left} />}
        </Later>
      )}
    </>
  )
}

type LaterProps = {
  room: 'li' | 'div'
  heightEm: number
  /** True draws at once after all. @default false */
  now?: boolean
  children: () => JSX.Element
}

/** Draws its content when the browser is idle, and keeps room for it until then. Paper has no later. */
export function Later({ room, heightEm, now = false, children }: LaterProps): JSX.Element {
  const { printing } = usePage()
  const [isDue, setDue] = useState(printing || now)
  if (isDue) return children()
  const keepRoom = (element: HTMLElement | null) => {
    if (!element) return
    // A strict content policy forbids style attributes, not the style object.
    element.style.blockSize = `${heightEm}em`
    return whenIdle(() => setDue(true))
  }
  return h(room, { 'aria-hidden': true, ref: keepRoom })
}
