import type { JSX } from 'preact'
import { findMobileProblems } from '../fields/person.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { TextField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { useWords } from '../frame.ts'
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
