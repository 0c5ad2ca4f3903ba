import { findMobileProblems, mobileField } from '../fields/person.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { FormField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'

type Props = { session: Session; screen: ScreenNamed<'mobile'>; flow: Flow }

export function MobileScreen({ session, screen, flow }: Props) {
  const words = useWords()
  const { answers, mobile } = flow
  return (
    <Form
      title={words('changeNumberTitle')}
      step={4}
      typed={answers.person}
      problems={screen.problems}
      recheck={(typed) => findMobileProblems(typed, mobile)}
      submit="sendCode"
      onSubmit={(typed) => session.send({ type: 'mobile', typed })}
      onBack={(typed) => session.send({ type: 'back', typed })}
    >
      <p class="lead">{words('changeNumberLead')}</p>
      <FormField name="mobileNumber" field={mobileField({ ...mobile, isRequired: true })} />
    </Form>
  )
}
