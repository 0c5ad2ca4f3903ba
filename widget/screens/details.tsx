import { useRef, useState } from 'preact/hooks'
import { today } from '../fields/date.ts'
import { type Field, isAsked } from '../fields/field.ts'
import {
  findMobileProblems,
  findPersonProblems,
  PERSON_FIELDS,
  type PersonRules,
  personFields,
  takesOnlyUk,
} from '../fields/person.ts'
import { keysOf } from '../fields/typed.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { FormField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { Link } from '../form/link.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { AnotherWay } from './another-way.tsx'

type Props = { session: Session; screen: ScreenNamed<'details'>; flow: Flow }

export function Details({ session, screen, flow }: Props) {
  const words = useWords()
  const { answers, mobile } = flow
  const rules = { today: today(), mobile }
  const fields = personFields(rules)
  const isKnown = keysOf(flow.fixed.person).length > 0
  const isNumberAsked = !flow.fixed.person.mobileNumber || findMobileProblems(flow.fixed.person, mobile).length > 0
  return (
    <Form
      title={words('detailsTitle')}
      place={session.check.value?.placeOf('details', flow, rules.today) ?? { step: 1, total: 4 }}
      typed={answers.person}
      fixed={flow.fixed.person}
      problems={screen.problems}
      recheck={(typed) => findPersonProblems(typed, rules)}
      onSubmit={(typed) => session.send({ type: 'details', typed, today: rules.today })}
      onBack={screen.fromAnswers ? (typed) => session.send({ type: 'back', typed }) : undefined}
    >
      <slot name="intro" />
      <p class="lead">{words(isKnown ? 'knownLead' : 'detailsLead')}</p>
      {keysOf(fields).map((name) => {
        const field: Field<PersonRules> = fields[name]
        if (!isAsked(field, answers.person, rules)) return null
        if (name === 'email') return <EmailField session={session} />
        if (name !== 'mobileNumber') return <FormField name={name} field={field} />
        const isNeeded = isNumberAsked && (mobile.isRequired || screen.problems.some(({ field }) => field === name))
        return (
          <>
            <FormField name={name} field={field} />
            {isNeeded && <AnotherWay summary={takesOnlyUk(mobile) ? 'noUkMobile' : 'noMobile'} lead="noMobileLead" />}
          </>
        )
      })}
      {isKnown && <AnotherWay summary="knownWrong" lead="knownWrongLead" hasRoute={!isNumberAsked} />}
    </Form>
  )
}

function EmailField({ session }: { session: Session }) {
  const words = useWords()
  const [suggestion, setSuggestion] = useState<string | null>(null)
  const input = useRef<HTMLInputElement | null>(null)
  return (
    <FormField
      name="email"
      field={PERSON_FIELDS.email}
      input={{
        onChange: ({ currentTarget }) => {
          input.current = currentTarget
          setSuggestion(session.check.value?.suggestEmail(currentTarget.value) ?? null)
        },
      }}
    >
      <p class="suggestion" role="status">
        {suggestion && (
          <>
            {words('emailSuggestion', { suggestion })}{' '}
            <Link
              onClick={() => {
                if (input.current) input.current.value = suggestion
                setSuggestion(null)
                input.current?.focus()
              }}
            >
              {words('emailUse')}
            </Link>
          </>
        )}
      </p>
    </FormField>
  )
}
