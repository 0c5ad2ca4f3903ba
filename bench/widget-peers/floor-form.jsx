// The floor: the same eight fields and a code, with the widget's own libraries and nothing else. No style, no words, no errors, no report.
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import * as z from 'zod/mini'

const Details = z.object({
  firstName: z.string().check(z.minLength(1)),
  lastName: z.string().check(z.minLength(1)),
  day: z.string().check(z.regex(/^\d{1,2}$/)),
  month: z.string().check(z.regex(/^\d{1,2}$/)),
  year: z.string().check(z.regex(/^\d{4}$/)),
  mobileNumber: z.string().check(z.regex(/^(\+44|0)7\d{9}$/)),
  email: z.optional(z.email()),
  postcode: z.string().check(z.regex(/^[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}$/i)),
})
const names = Object.keys(Details.shape)

function Form() {
  const step = useSignal('details')
  const problems = useSignal([])
  const submit = (event) => {
    event.preventDefault()
    const { success, error } = Details.safeParse(Object.fromEntries(new FormData(event.currentTarget)))
    problems.value = success ? [] : error.issues.map(({ path }) => path[0])
    if (success) step.value = 'code'
  }
  if (step.value === 'code')
    return (
      <form>
        <label>
          Code <input name="code" autocomplete="one-time-code" />
        </label>
        <button type="submit">Continue</button>
      </form>
    )
  return (
    <form onSubmit={submit} noValidate>
      {names.map((name) => (
        <label>
          {name} <input name={name} aria-invalid={problems.value.includes(name)} />
        </label>
      ))}
      <button type="submit">Continue</button>
    </form>
  )
}

render(<Form />, document.getElementById('form'))
