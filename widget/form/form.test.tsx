// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/preact'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { findPersonProblems, PERSON_FIELDS, UK_MOBILE } from '../fields/person.ts'
import type { Problem } from '../fields/problem.ts'
import type { Typed } from '../fields/typed.ts'
import { FormField, TextField } from './field.tsx'
import { Form } from './form.tsx'

afterEach(() => {
  act(() => cleanup())
})

const missing: Problem = { field: 'firstName', words: 'firstNameMissing' }
const noYear: Problem = { field: 'dateOfBirth', focus: 'year', words: 'dateOfBirthPart', parts: ['year'] }

type Props = { problems?: Problem[]; typed?: Typed; onSubmit?: (typed: Typed) => void }

function PersonForm({ problems = [], typed = {}, onSubmit = () => undefined }: Props) {
  return (
    <Form
      title="About you"
      place={{ step: 1, total: 4 }}
      typed={typed}
      problems={problems}
      onSubmit={onSubmit}
      recheck={(now) => findPersonProblems(now, { today: '2026-11-15', mobile: UK_MOBILE })}
    >
      <TextField name="firstName" hint="mobileNumberHint" />
      <TextField name="email" optional />
      <FormField name="dateOfBirth" field={{ inputs: { day: {}, year: {} }, hint: 'dateOfBirthHint', wire: {} }} />
    </Form>
  )
}

const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

describe('a date in one piece', () => {
  const dateForm = () =>
    render(
      <Form title="About you" place={{ step: 1, total: 4 }} typed={{}} problems={[]} onSubmit={() => undefined}>
        <FormField name="dateOfBirth" field={PERSON_FIELDS.dateOfBirth} />
      </Form>,
    )
  const paste = async (text: string) => {
    dateForm()
    input('Day').focus()
    await userEvent.paste(text)
    return ['Day', 'Month', 'Year'].map((label) => input(label).value)
  }

  test.each([
    ['27/3/1985', ['27', '3', '1985']],
    [' 27.03.1985 ', ['27', '03', '1985']],
    ['27th March 1985', ['27th', 'March', '1985']],
    ['1985-03-27', ['27', '03', '1985']],
    ['27031985', ['27', '03', '1985']],
    ['19850327', ['27', '03', '1985']],
    ['DOB: 27/03/1985', ['27', '03', '1985']],
  ])('%j pasted into the day fills all three', async (text, expected) => expect(await paste(text)).toEqual(expected))

  test.each(['27', '27/3', 'my date is 27/3/1985'])('%j stays where it was pasted', async (text) => {
    expect(await paste(text)).toEqual([text, '', ''])
  })
})

describe('a field', () => {
  test('says its label, its hint and its error through one input', () => {
    render(<PersonForm problems={[missing]} />)
    const described = input('First name').getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'Starts with 07. We may text you a code',
      'Error: Add your first name',
    ])
    expect(input('First name').getAttribute('aria-invalid')).toBe('true')
  })

  test('says nothing of errors when there are none', () => {
    render(<PersonForm />)
    expect(input('First name').getAttribute('aria-invalid')).toBeNull()
    expect(input('Email address (optional)').getAttribute('aria-describedby')).toBeNull()
  })

  test('a group says its error once, by the inputs it is about', () => {
    render(<PersonForm problems={[noYear]} />)
    const group = screen.getByRole('group', { name: 'Date of birth' })
    expect(group.getAttribute('aria-describedby')).toBe('dateOfBirth-hint')
    expect(input('Year').getAttribute('aria-invalid')).toBe('true')
    expect(input('Year').getAttribute('aria-describedby')).toBe('dateOfBirth-error')
    expect(input('Day').getAttribute('aria-invalid')).toBeNull()
    expect(input('Day').getAttribute('aria-describedby')).toBeNull()
    expect(screen.getAllByText('Date of birth needs a year')).toHaveLength(2)
  })

  test('a message about the whole group belongs to all its inputs', () => {
    render(<PersonForm problems={[{ field: 'dateOfBirth', focus: 'day', words: 'dateOfBirthMissing' }]} />)
    for (const label of ['Day', 'Year'])
      expect(input(label).getAttribute('aria-describedby'), label).toBe('dateOfBirth-error')
  })
})

describe('the form', () => {
  test('hands over what the inputs hold, also what a filler wrote without telling', async () => {
    const onSubmit = vi.fn()
    render(<PersonForm onSubmit={onSubmit} typed={{ email: 'a@b.uk' }} />)
    await userEvent.type(input('First name'), 'Sam')
    input('Day').value = '27'
    await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
    expect(onSubmit).toHaveBeenCalledWith({ firstName: 'Sam', email: 'a@b.uk', day: '27', year: '' })
  })

  test('the summary lists every problem and leads to the input it is about', async () => {
    render(<PersonForm problems={[missing, noYear]} />)
    const before = location.href
    await userEvent.click(screen.getByRole('link', { name: 'Date of birth needs a year' }))
    expect(document.activeElement).toBe(input('Year'))
    expect(location.href).toBe(before)
  })

  test('the summary takes focus each time the form is refused', () => {
    const { rerender } = render(<PersonForm problems={[missing]} />)
    const summary = screen.getByRole('alert').parentElement
    act(() => input('First name').focus())
    act(() => rerender(<PersonForm problems={[missing]} />))
    expect(document.activeElement).not.toBe(input('First name'))
    expect(document.activeElement).toBe(summary)
  })

  test('a corrected field stops complaining; another one goes on, and nothing new begins', async () => {
    const typed = { firstName: '', day: '27', year: '' }
    render(<PersonForm problems={[missing, noYear]} typed={typed} />)
    await userEvent.type(input('First name'), 'Sam')
    await act(() => {
      fireEvent.change(input('First name'))
    })
    expect(input('First name').getAttribute('aria-invalid')).toBeNull()
    expect(document.getElementById('dateOfBirth-error')).not.toBeNull()
    expect(document.getElementById('email-error')).toBeNull()
    // The list stays as it was read, until the next try.
    expect(screen.getAllByRole('link')).toHaveLength(2)
  })

  test('what was typed stays when new problems are drawn', async () => {
    const { rerender } = render(<PersonForm />)
    await userEvent.type(input('First name'), 'Sam')
    rerender(<PersonForm problems={[noYear]} />)
    expect(input('First name').value).toBe('Sam')
  })
})
