// The one place that ties a label, a hint and an error to an input.
import type { ComponentChildren, JSX, TargetedClipboardEvent } from 'preact'
import type { Field, InputLook } from '../fields/field.ts'
import { type Problem, sayProblem } from '../fields/problem.ts'
import { type AnswerInput, type FieldName, keysOf } from '../fields/typed.ts'
import { useWords } from '../frame.ts'
import type { StringKey } from '../strings/en.ts'
import { useFixed, useInput, useProblem } from './form.tsx'

type FormFieldProps = {
  name: FieldName
  field: Field<never>
  /** For a field of one input: what that input does beyond holding what is typed. */
  input?: JSX.IntrinsicElements['input']
  /** For a field of one input: below it. */
  children?: ComponentChildren
}

/** A field of the table: one input, or several that answer one question and share one message. */
export function FormField({ name, field, input, children }: FormFieldProps) {
  const { inputs, label, hint, isOptional, show, wire } = field
  const words = useWords()
  const problem = useProblem(name)
  const [only, ...others] = keysOf(inputs)
  const fixed = useFixed(name, inputs)
  const values = fixed && (show ? [show(fixed, words)] : Object.values(wire).map((read) => read(fixed)))
  const text = values?.filter(Boolean).join(', ')
  if (text)
    return (
      <dl class="field">
        <dt part="label">{words(label ?? name)}</dt>
        <dd>{text}</dd>
      </dl>
    )
  if (only && others.length === 0)
    return (
      <TextField name={only} label={label} hint={hint} optional={isOptional} look={inputs[only]} input={input}>
        {children}
      </TextField>
    )
  return (
    // The message belongs to the inputs it is about, so that it is read once, where it can be corrected.
    <fieldset class="field" aria-describedby={describedBy(name, hint)} onPaste={spreadPaste}>
      <legend part="label">{words(name)}</legend>
      <Help id={name} hint={hint} problem={problem} />
      <div class="row">
        {keysOf(inputs).map((part) => (
          <TextField name={part} look={inputs[part]} group={name} />
        ))}
      </div>
    </fieldset>
  )
}

/** `27/3/1985`, `1985-03-27`, `27031985` or `DOB: 27 3 1985`, pasted into one of a date's inputs, fills all of them. */
function spreadPaste(event: TargetedClipboardEvent<HTMLFieldSetElement>): void {
  const text = (event.clipboardData?.getData('text') ?? '').trim().replace(/^[^\d:]*:\s*/, '')
  const parts = text.replace(/^((?:19|20)\d\d)(\d\d)(\d\d)$|^(\d\d)(\d\d)(\d{4})$/, '$1$4 $2$5 $3$6').split(/[\s./,-]+/)
  const inputs = event.currentTarget.querySelectorAll('input')
  if (parts.length !== inputs.length || !parts.every((part) => /^\d{1,4}(?:st|nd|rd|th)?$|^\p{L}{3,}$/u.test(part)))
    return
  event.preventDefault()
  if (/^\d{4}$/.test(parts[0] ?? '')) parts.reverse()
  inputs.forEach((input, index) => {
    input.value = parts[index] ?? ''
  })
  inputs[inputs.length - 1]?.focus()
}

type TextFieldProps = {
  /** Also the key of its label. */
  name: AnswerInput | 'code'
  label?: StringKey | undefined
  hint?: StringKey | undefined
  optional?: boolean | undefined
  look?: InputLook | { width: 'code' } | undefined
  input?: JSX.IntrinsicElements['input'] | undefined
  /** The field it is a part of, whose message it shares. */
  group?: FieldName
  children?: ComponentChildren
}

export function TextField({ name, label = name, hint, optional, look = {}, input, group, children }: TextFieldProps) {
  const words = useWords()
  const { value, problem } = useInput(name)
  const shared = useProblem(group)
  const isShared = shared && (shared.parts?.includes(name) ?? true)
  const message = problem ? name : isShared && group
  const labelWords = words(label)
  const { width, ...others } = look
  // The table knows which attributes go together: `type` alone has four shapes in preact's types.
  const attributes: object = others
  return (
    <div class="field">
      <label for={name} part="label">
        {optional ? words('optional', { label: labelWords }) : labelWords}
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
        // With a capital it is set as an attribute: the property of that name is a boolean, to which any string means
        // yes.
        autoCorrect="off"
        aria-describedby={describedBy(name, hint, message)}
        aria-invalid={message ? 'true' : undefined}
        {...attributes}
        {...input}
      />
      {children}
    </div>
  )
}

type HelpProps = { id: string; hint: StringKey | undefined; problem: Problem | undefined }

export function Help({ id, hint, problem }: HelpProps) {
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

export function describedBy(id: string, hint: StringKey | undefined, message?: string | false): string | undefined {
  return [hint && `${id}-hint`, message && `${message}-error`].filter(Boolean).join(' ') || undefined
}
