// One step of the form: heading, problems, fields, Continue. Reads the inputs themselves on submit, because some
// browsers and password managers fill them in without telling anyone.
import { type ComponentChildren, createContext, h, type TargetedMouseEvent } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { type Problem, sayProblem } from '../fields/problem.ts'
import { type AnswerInput, type FieldName, type InputName, keysOf, type Typed } from '../fields/typed.ts'
import { useFrame, useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'
import { Heading } from './heading.tsx'
import { Icon } from './icon.tsx'

type FormState = {
  typed: Typed
  problems: readonly Problem[]
  /** Values the lender has fixed, and which of them are not right: those is the consumer's to correct. */
  fixed: Typed
  wrong: readonly Problem[]
}
const FormContext = createContext<FormState>({ typed: {}, problems: [], fixed: {}, wrong: [] })

/** The value the lender has fixed for this field, if it is right. */
export function useFixed(name: FieldName, inputs: { [input in AnswerInput]?: unknown }): Typed | null {
  const { fixed, wrong } = useContext(FormContext)
  const isKnown = keysOf(inputs).some((input) => fixed[input])
  return !isKnown || wrong.some(({ field }) => field === name || Object.hasOwn(inputs, field)) ? null : fixed
}

/** The initial value of an input, and its problem. */
export function useInput(name: InputName): { value: string; problem: Problem | undefined } {
  const { typed } = useContext(FormContext)
  return { value: Object.hasOwn(typed, name) ? (typed[name] ?? '') : '', problem: useProblem(name) }
}

/** The problem of a field or an input. */
export function useProblem(name: Problem['field'] | undefined): Problem | undefined {
  return useContext(FormContext).problems.find((problem) => problem.field === name)
}

type FormProps = {
  title: string
  /** The step it is; absent once the steps are over. */
  place?: Place
  typed: Typed
  /** Values shown as text. */
  fixed?: Typed
  problems: readonly Problem[]
  submit?: StringKey
  onSubmit: (typed: Typed) => void
  onBack?: ((typed: Typed) => void) | undefined
  /**
   * Finds the problems as they are now, so that a corrected field stops complaining before the next submit, and one
   * that is wrong in a new way says so.
   */
  recheck?: (typed: Typed) => Problem[]
  /** Between the fields and the button. */
  children: ComponentChildren
  /** After the button. */
  after?: ComponentChildren
}

/** Details, addresses, answers, code; some do without the addresses. */
const STEPS = [1, 2, 3, 4]

/** A step of the way, counted from 1. */
export type Place = { step: number; total: number }

export function Form({
  title,
  place,
  typed,
  fixed = {},
  problems,
  submit = 'continue',
  onSubmit,
  onBack,
  recheck,
  children,
  after,
}: FormProps) {
  const words = useWords()
  const form = useRef<HTMLFormElement>(null)
  /** Problems that remain of those at the last submit; null until something has changed since. */
  const [remaining, setRemaining] = useState<readonly Problem[] | null>(null)
  const shown = remaining ?? problems

  const onChange = () => {
    if (!recheck || problems.length === 0 || !form.current) return
    const complained = problems.map(({ field }) => field)
    setRemaining(recheck(readForm(form.current)).filter(({ field }) => complained.includes(field)))
  }
  useEffect(() => setRemaining(null), [problems])
  const send = (event: Event) => {
    event.preventDefault()
    if (form.current) onSubmit(readForm(form.current))
  }

  return (
    <FormContext.Provider value={{ typed, problems: shown, fixed, wrong: recheck?.(fixed) ?? [] }}>
      <form
        ref={form}
        noValidate
        onSubmit={send}
        onChange={onChange}
        // A key held down repeats itself; after a quick answer that would be another try, and there are only three.
        onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
        // A press must not first move focus away from an input: what that corrects or adds would shift the button from
        // under the finger.
        onMouseDown={(event) => event.target instanceof HTMLButtonElement && event.preventDefault()}
      >
        {(onBack || place) && (
          <div class="top">
            {onBack && (
              <button
                type="button"
                class="back"
                part="link"
                onClick={() => form.current && onBack(readForm(form.current))}
              >
                {words('back')}
              </button>
            )}
            {place && <Progress {...place} />}
          </div>
        )}
        <ErrorSummary problems={problems} />
        <Heading>{title}</Heading>
        {children}
        <div class="actions">
          {/* In a frame that may not send forms there is no submit event; Enter in an input clicks the button there too. */}
          <button type="submit" id={submit} class="button" part="button" onClick={send}>
            {words(submit)}
          </button>
        </div>
        {after}
      </form>
    </FormContext.Provider>
  )
}

function Progress({ step, total }: Place) {
  return (
    <p class="progress" part="progress">
      <span class="bar" aria-hidden="true">
        {STEPS.slice(0, total).map((number) => (
          <i class={number <= step ? 'done' : ''} />
        ))}
      </span>
      {useWords()('step', { n: step, total })}
    </p>
  )
}

/** The current values of all named inputs. */
export function readForm(form: HTMLFormElement): Typed {
  const typed = [...new FormData(form)].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(typed)
}

/**
 * Everything that has to be corrected, at the top of the step, each leading to its input. Takes focus when it appears.
 */
function ErrorSummary({ problems }: { problems: readonly Problem[] }) {
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
