import type { JSX } from 'preact'
import { today } from '../fields/date.ts'
import { findPersonProblems } from '../fields/person.ts'
import { suggestEmail } from '../fields/suggest-email.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { Group, TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { useSignal } from '../signal.ts'

type Props = { session: Session; screen: ScreenNamed<'details'>; answers: Flow['answers'] }

const name = { autocapitalize: 'words' } as const
const digits = { inputMode: 'numeric' } as const

export function Details({ session, screen, answers }: Props): JSX.Element {
  const words = useWords()
  return (
    <Form
      title={words('detailsTitle')}
      step={1}
      fields={answers.person}
      problems={screen.problems}
      recheck={(fields) => findPersonProblems(fields, today())}
      onSubmit={(fields) => session.send({ type: 'details', fields, today: today() })}
      onBack={screen.fromAnswers ? (fields) => session.send({ type: 'back', fields }) : undefined}
    >
      <slot name="intro" />
      <p class="lead">{words('detailsLead')}</p>
      {/* Nobody is asked for a title; one that the page knows has to be theirs to change. */}
      {answers.person.title !== undefined && (
        <TextField name="title" optional input={{ ...name, autocomplete: 'honorific-prefix' }} />
      )}
      <TextField name="firstName" input={{ ...name, autocomplete: 'given-name' }} />
      <TextField name="middleName" optional input={{ ...name, autocomplete: 'additional-name' }} />
      <TextField name="lastName" input={{ ...name, autocomplete: 'family-name' }} />
      <Group name="dateOfBirth" legend="dateOfBirth" hint="dateOfBirthHint">
        <div class="row">
          <TextField name="day" width="w2" input={{ ...digits, autocomplete: 'bday-day' }} />
          <TextField name="month" width="w2" input={{ ...digits, autocomplete: 'bday-month' }} />
          <TextField name="year" width="w4" input={{ ...digits, autocomplete: 'bday-year' }} />
        </div>
      </Group>
      <TextField
        name="mobileNumber"
        hint="mobileNumberHint"
        width="w20"
        input={{ type: 'tel', autocomplete: 'tel-national' }}
      />
      <EmailField />
    </Form>
  )
}

function EmailField(): JSX.Element {
  const words = useWords()
  const suggestion = useSignal<string | null>(null)
  const input = useSignal<HTMLInputElement | null>(null)
  return (
    <TextField
      name="email"
      optional
      input={{
        type: 'email',
        autocomplete: 'email',
        autocapitalize: 'none',
        onChange: ({ currentTarget }) => {
          input.value = currentTarget
          suggestion.value = suggestEmail(currentTarget.value)
        },
      }}
    >
      <p class="suggestion" role="status">
        {suggestion.value && (
          <>
            {words('emailSuggestion', { suggestion: suggestion.value })}{' '}
            <button
              type="button"
              class="link"
              part="link"
              onClick={() => {
                if (input.value && suggestion.value) input.value.value = suggestion.value
                suggestion.value = null
                input.value?.focus()
              }}
            >
              {words('emailUse')}
            </button>
          </>
        )}
      </p>
    </TextField>
  )
}
