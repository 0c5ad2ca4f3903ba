// The one place that ties a label, a hint and an error to an input.
import type { ComponentChildren, JSX } from 'preact'
import { type Problem, sayProblem } from '../fields/problem.ts'
import { useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'
import { useField } from './form.tsx'

export type TextFieldProps = {
  /** Also the key of its label. */
  name: StringKey
  hint?: StringKey
  optional?: boolean
  /** Which characters fit: a hint of how much is expected, never a limit. */
  width?: 'w2' | 'w4' | 'w5' | 'w10' | 'w20' | 'code'
  /** Messages belong to the group around it. */
  grouped?: boolean
  input?: JSX.IntrinsicElements['input']
  children?: ComponentChildren
}

export function TextField({ name, hint, optional, width, grouped, input, children }: TextFieldProps): JSX.Element {
  const words = useWords()
  const { value, problem } = useField(name)
  const text = words(name)
  return (
    <div class={problem && !grouped ? 'field wrong' : 'field'}>
      <label for={name} part="label">
        {optional ? words('optional', { label: text }) : text}
      </label>
      <Help id={name} hint={hint} problem={problem} />
      <input
        id={name}
        name={name}
        part="input"
        type="text"
        class={width ? `input ${width}` : 'input'}
        defaultValue={value}
        autocomplete="off"
        spellcheck={false}
        // With a capital it is set as an attribute: the property of that name is a boolean, to which any text means yes.
        autoCorrect="off"
        aria-describedby={describedBy(name, hint, problem)}
        aria-invalid={problem ? 'true' : undefined}
        {...input}
      />
      {children}
    </div>
  )
}

export type GroupProps = { name: string; legend: StringKey; hint?: StringKey; children: ComponentChildren }

/** Several inputs that answer one question and share one message. */
export function Group({ name, legend, hint, children }: GroupProps): JSX.Element {
  const { problem } = useField(name)
  return (
    <fieldset class={problem ? 'field wrong' : 'field'} aria-describedby={describedBy(name, hint, problem)}>
      <legend part="label">{useWords()(legend)}</legend>
      <Help id={name} hint={hint} problem={problem} />
      {children}
    </fieldset>
  )
}

function Help({
  id,
  hint,
  problem,
}: {
  id: string
  hint: StringKey | undefined
  problem: Problem | undefined
}): JSX.Element {
  const words = useWords()
  return (
    <>
      {hint && (
        <p class="hint" part="hint" id={`${id}-hint`}>
          {words(hint)}
        </p>
      )}
      {problem && (
        <p class="error" part="error" id={`${id}-error`}>
          <span class="unseen">{words('errorPrefix')} </span>
          {sayProblem(words, problem)}
        </p>
      )}
    </>
  )
}

function describedBy(id: string, hint: StringKey | undefined, problem: Problem | undefined): string | undefined {
  return [hint && `${id}-hint`, problem && `${id}-error`].filter(Boolean).join(' ') || undefined
}
