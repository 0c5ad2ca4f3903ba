import type { JSX } from 'preact'
import { TextField } from '../fields/field.tsx'
import { Form } from '../fields/form.tsx'
import type { Flow, ScreenNamed } from '../flow.ts'
import { useWords } from '../frame.ts'
import { findMobileProblems } from '../person.ts'
import type { Session } from '../session.ts'

type Props = { session: Session; screen: ScreenNamed<'mobile'>; answers: Flow['answers'] }

export function MobileScreen({ session, screen, answers }: Props): JSX.Element {
  const words = useWords()
  return (
    <Form
      title={words('changeNumberTitle')}
      fields={answers.person}
      problems={screen.problems}
      recheck={findMobileProblems}
      submit="sendCode"
      onSubmit={(fields) => session.send({ type: 'mobile', fields })}
      onBack={(fields) => session.send({ type: 'back', fields })}
    >
      <p class="lead">{words('changeNumberLead')}</p>
      <TextField
        name="mobileNumber"
        hint="mobileNumberHint"
        width="w20"
        input={{ type: 'tel', autocomplete: 'tel-national' }}
      />
    </Form>
  )
}
