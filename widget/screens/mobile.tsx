import type { JSX } from 'preact'
import { findMobileProblems, PERSON_FIELDS } from '../fields/person.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { FormField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'

type Props = { session: Session; screen: ScreenNamed<'mobile'>; answers: Flow['answers'] }

export function MobileScreen({ session, screen, answers }: Props): JSX.Element {
  const words = useWords()
  return (
    <Form
      title={words('changeNumberTitle')}
      step={4}
      typed={answers.person}
      problems={screen.problems}
      recheck={findMobileProblems}
      submit="sendCode"
      onSubmit={(typed) => session.send({ type: 'mobile', typed })}
      onBack={(typed) => session.send({ type: 'back', typed })}
    >
      <p class="lead">{words('changeNumberLead')}</p>
      <FormField name="mobileNumber" field={PERSON_FIELDS.mobileNumber} />
    </Form>
  )
}
