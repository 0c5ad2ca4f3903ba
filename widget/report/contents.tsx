import { useWords } from './page.ts'

/** A short way to each section. Buttons and not links: a link would change the address of the lender's page. */
export function Contents({ sections }: { sections: readonly { id: string; title: string }[] }) {
  const words = useWords()
  return (
    <nav aria-label={words.contents}>
      {sections.map(({ id, title }) => (
        <button type="button" class="link" part="link" onClick={({ currentTarget }) => goTo(currentTarget, id)}>
          {title}
        </button>
      ))}
    </nav>
  )
}

function goTo(from: Element, id: string): void {
  const heading = from.closest('.report')?.querySelector<HTMLElement>(`#report-${id}`)
  if (!heading) return
  heading.scrollIntoView()
  heading.focus({ preventScroll: true })
}
