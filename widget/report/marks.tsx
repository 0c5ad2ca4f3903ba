// The agencies that report an account: a mark for each, and the same in words.
import type { Mark } from './bureaus.ts'
import { usePage, useWords } from './page.ts'

const LETTERS = 2

export function Marks({ marks }: { marks: readonly Mark[] }) {
  const words = useWords()
  const nameOf = ({ bureau }: Mark) => bureau.name || words.agency
  return (
    <div class="report-marks">
      {marks.map((mark) => (
        <i class={`report-${mark.state}`} aria-hidden="true">
          {nameOf(mark).slice(0, LETTERS)}
        </i>
      ))}
      <span class="unseen">{marks.map((mark) => `${nameOf(mark)}: ${words.marks[mark.state]}. `)}</span>
    </div>
  )
}

/** A legend of the marks in this report, once for all of them. */
export function MarksLegend() {
  const { words, read } = usePage()
  const marks = [...read.marks.values()].flat()
  return (
    <p class="report-marks hint" aria-hidden="true">
      {(['reports', 'silent', 'away'] as const).map(
        (state) =>
          marks.some((mark) => mark.state === state) && (
            <span>
              <i class={`report-${state}`}>Ab</i> {words.marks[state]}
            </span>
          ),
      )}
    </p>
  )
}
