// A long list in slices: the first at once, the others while the browser is idle. Everything ends up in the page, so that
// find-in-page and screen readers meet the whole report.
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { whenIdle } from './idle.ts'
import { usePage } from './page.ts'

type SlicedProps<Item> = {
  items: readonly Item[]
  /** How many to show at once. @default step */
  first?: number
  /** How many to add each time. */
  step: number
  /** Height of one item still to come, in em: keeps what is below from moving. @default 0 */
  itemHeightEm?: number
  children: (item: Item) => ComponentChildren
}

export function Sliced<Item>(props: SlicedProps<Item>) {
  const { items, step, first = step, itemHeightEm = 0, children } = props
  const { printing } = usePage()
  const [wanted, setWanted] = useState(first)
  const shown = printing ? items.length : Math.min(wanted, items.length)
  const rest = items.length - shown

  // Props stay the same object while only `wanted` grows, and Preact skips a node it has already drawn:
  // each slice costs its own items, not the whole list again.
  const drawn = useRef<{ props?: SlicedProps<Item>; nodes: ComponentChildren[] }>({ nodes: [] })
  if (drawn.current.props !== props) drawn.current = { props, nodes: [] }
  const { nodes } = drawn.current
  for (const item of items.slice(nodes.length, shown)) nodes.push(children(item))

  useEffect(() => (rest > 0 ? whenIdle(() => setWanted(shown + step)) : undefined), [shown, rest, step])

  return (
    <>
      {[...nodes]}
      {rest > 0 && itemHeightEm > 0 && <Room heightEm={rest * itemHeightEm} />}
    </>
  )
}

/** Keeps the room that the rest of a list will need. A strict content policy forbids style attributes, not the style object. */
function Room({ heightEm }: { heightEm: number }): VNode {
  return (
    <li
      aria-hidden="true"
      ref={(element) => {
        if (element) element.style.blockSize = `${heightEm}em`
      }}
    />
  )
}
