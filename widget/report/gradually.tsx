// Long lists, an item after each frame: drawn at once, they would hold up a tap on a slow phone.
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { usePage } from './page.ts'

type GraduallyProps<Item> = { items: readonly Item[]; children: (item: Item) => ComponentChildren }

/** A template is where more is to come. Paper gets everything at once. */
export function Gradually<Item>({ items, children }: GraduallyProps<Item>) {
  const { printing } = usePage()
  const [count, setCount] = useState(0)
  // Made once: what is drawn already is not compared again with each frame.
  const all = useMemo(() => items.map(children), [items])
  const shown = printing ? all.length : count
  useEffect(() => (shown < all.length ? waitForTurn(() => setCount(count + 1)) : undefined), [count])
  return (
    <>
      {all.slice(0, shown)}
      {shown < all.length && <template />}
    </>
  )
}

/** The lists that have more to draw. One of them draws one item after each frame, whatever their number. */
const waiting = new Set<() => void>()

/** The returned function gives the turn up. */
function waitForTurn(draw: () => void): () => void {
  waiting.add(draw)
  if (waiting.size === 1) afterFrame()
  return () => waiting.delete(draw)
}

function afterFrame(): void {
  requestAnimationFrame(() =>
    setTimeout(() => {
      const [draw] = waiting
      if (!draw) return
      waiting.delete(draw)
      draw()
      if (waiting.size > 0) afterFrame()
    }),
  )
}
