// Long lists, an item after each frame: drawn at once, they would hold up a tap on a slow phone.
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { usePage } from './page.ts'

type GraduallyProps<Item> = { items: readonly Item[]; children: (item: Item) => ComponentChildren }

/** A template is where more is to come. Paper gets everything at once. */
export function Gradually<Item>({ items, children }: GraduallyProps<Item>) {
  const { printing } = usePage()
  const [count, setCount] = useState(0)
  // Made once: what is drawn already is not compared again with each frame.
  const all = useMemo(() => items.map(children), [items])
  const shown = printing ? all.length : count
  useLayoutEffect(() => {
    if (shown < all.length) waitForTurn(setCount)
    else waiting.delete(setCount)
  }, [shown])
  useLayoutEffect(() => () => waiting.delete(setCount), [])
  return (
    <>
      {all.slice(0, shown)}
      {shown < all.length && <template />}
    </>
  )
}

type List = (count: (drawn: number) => number) => void

/** The lists that have more to draw. */
const waiting = new Set<List>()
let isDrawing = false

function waitForTurn(list: List): void {
  waiting.add(list)
  if (!isDrawing) afterFrame()
}

/**
 * Whatever the number of lists, one item after each frame. The last list is inside the others, so that a report grows
 * at its end: what is below an item has to be moved and painted again.
 */
function afterFrame(): void {
  isDrawing = true
  requestAnimationFrame(() =>
    setTimeout(() => {
      isDrawing = false
      const draw = [...waiting].at(-1)
      if (!draw) return
      draw((drawn) => drawn + 1)
      afterFrame()
    }),
  )
}
