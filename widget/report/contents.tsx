import { useWords } from './page.ts'

/** Moving the page oneself ends the jump. */
const READER_MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown']

/** A short way to each section. Buttons and not links: a link would change the address of the lender's page. */
export function Contents({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const words = useWords()
  const goTo = (from: Element, id: string) => {
    const report = from.closest('.report')
    const heading = report?.querySelector<HTMLElement>(`#report-${id}`)
    if (report && heading) jumpTo(heading, report)
  }
  return (
    <nav aria-label={words.contents}>
      {sections.map(({ id, title }) => (
        <button type="button" class="link" part="link" onClick={(event) => goTo(event.currentTarget, id)}>
          {title}
        </button>
      ))}
    </nav>
  )
}

/** What is above the heading may still be drawn, and grow: the heading is held in place until the reader moves. */
function jumpTo(heading: HTMLElement, report: Element): void {
  const moved = new AbortController()
  const hold = new ResizeObserver(() => heading.scrollIntoView())
  moved.signal.addEventListener('abort', () => hold.disconnect())
  for (const type of READER_MOVES)
    addEventListener(type, () => moved.abort(), { capture: true, passive: true, signal: moved.signal })
  heading.scrollIntoView()
  heading.focus({ preventScroll: true })
  hold.observe(report)
}
