import { h, type TargetedMouseEvent } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Problem, sayProblem } from '../fields/problem.ts'
import { useFrame } from '../frame.ts'
import { Icon } from '../screens/icon.tsx'

/** Everything that has to be mended, at the top of the step, each leading to its input. Takes focus when it appears. */
export function ErrorSummary({ problems }: { problems: readonly Problem[] }) {
  const { words, headingLevel } = useFrame()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [problems])
  if (problems.length === 0) return null
  return (
    // The alert is inside the focused box, so that it is read once and not raced by the focus move.
    <div class="summary" part="error-summary" tabIndex={-1} ref={box}>
      <div role="alert">
        {h(`h${headingLevel}`, { class: 'summary-title' }, <Icon name="alert" />, words('problemTitle'))}
        <ul>
          {problems.map((problem) => (
            <li>
              <a
                href={`#${problem.focus ?? problem.field}`}
                onClick={(event) => goTo(event, problem.focus ?? problem.field)}
              >
                {sayProblem(words, problem)}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

// A real hash would change the address of the lender's page.
function goTo(event: TargetedMouseEvent<HTMLAnchorElement>, id: string): void {
  event.preventDefault()
  const input = event.currentTarget.closest('form')?.querySelector<HTMLElement>(`#${id}`)
  input?.closest('fieldset, .field')?.scrollIntoView({ block: 'nearest' })
  input?.focus({ preventScroll: true })
}
